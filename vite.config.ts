import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig(({ command }) => ({
  appType: 'custom',
  base: '/assets/',
  publicDir: false, // the server serves pages/public itself, under addresses that never change
  plugins: [react(), pruneInertia()],
  build: {
    assetsDir: '',
    assetsInlineLimit: 0, // the security policy allows no data: fonts
    cssCodeSplit: false,
    // The oldest browsers that pass the browser check.
    target: ['chrome120', 'firefox121', 'safari17.2', 'opera106'],
    emptyOutDir: true,
    reportCompressedSize: false,
  },
  environments: {
    client: {
      build: {
        outDir: 'build/client',
        manifest: true,
        rolldownOptions: { input: 'pages/main.tsx', output: { codeSplitting: { groups: [entrance] } } },
      },
    },
    ssr: {
      build: {
        outDir: 'build/ssr',
        ssr: true,
        sourcemap: true,
        rolldownOptions: { input: 'pages/ssr.tsx', output: { entryFileNames: 'ssr.js', codeSplitting: false } },
      },
      // Built, it runs in an image without the packages of the browser side; developed, it takes them from node_modules.
      ...(command === 'build' && {
        resolve: { noExternal: true as const },
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
    },
  },
}))

/** What every form on the way in is made of: one file, where there would be a request for each of its small modules. */
const entrance = {
  name: 'entrance',
  test: /pages\/(forms\/(draft|email-field|field|form|password-field|typed-address)|hooks\/hydrated|layouts\/(auth|page-alert|skip-link)|shared\/(alert|arches|button|heading)|words\/messages)\.tsx?$/,
  includeDependenciesRecursively: false,
}

/** Inertia's package marks nothing as pure, so that its infinite scrolling, which nothing uses, would be a part of every page. */
function pruneInertia(): Plugin {
  return {
    name: 'prune-inertia',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /@inertiajs\/react\/dist\/index\.js$/ },
      handler: (code) => ({
        code: code.replace(/= (forwardRef\d*\()/g, '= /* @__PURE__ */ $1').replace(/^\w+\.displayName = .*$/gm, ''),
        map: null,
      }),
    },
  }
}
