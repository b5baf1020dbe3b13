import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig(({ command }) => ({
  appType: 'custom',
  base: '/assets/',
  publicDir: false, // the server serves pages/public itself, at URLs that never change
  plugins: [react(), withoutUnusedParts, withoutPreloads],
  build: {
    assetsDir: '',
    assetsInlineLimit: 0, // the Content-Security-Policy does not allow data: fonts
    cssCodeSplit: false,
    // The oldest browsers that pass the browser check.
    target: ['chrome120', 'firefox121', 'safari17.2', 'opera106'],
    emptyOutDir: true,
    reportCompressedSize: false,
    // the server names what a page needs; a preload list for every other page would cost more than it saves
    modulePreload: false,
  },
  environments: {
    client: {
      build: {
        outDir: 'build/client',
        manifest: true,
        rolldownOptions: {
          input: 'pages/main.tsx',
          treeshake: {
            manualPureFunctions: ['forwardRef', 'forwardRef2', 'forwardRef3'],
            moduleSideEffects: [{ test: /@simplewebauthn/, sideEffects: false }],
          },
          output: { codeSplitting: { groups: [vendor, guests, popups] } },
        },
      },
    },
    // Inlined in every document (pages/document.ts). A server in development reads its source.
    ...(command === 'build' && {
      document: {
        consumer: 'client',
        build: {
          outDir: 'build/document',
          rolldownOptions: { input: 'pages/first-script.ts', output: { entryFileNames: 'first-script.js' } },
        },
      },
    }),
    ssr: {
      build: {
        outDir: 'build/ssr',
        ssr: true,
        rolldownOptions: { input: 'pages/ssr.tsx', output: { entryFileNames: 'ssr.js', codeSplitting: false } },
      },
      // The build runs in an image without the browser's packages. In development they are in node_modules.
      ...(command === 'build' && {
        resolve: { noExternal: true as const },
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
    },
  },
}))

/** Rarely changed, so that a deployment leaves it in the caches of browsers. */
const vendor = {
  name: 'vendor',
  test: /node_modules\/(react|react-dom|scheduler|@inertiajs|laravel-precognition|es-toolkit)\//,
  includeDependenciesRecursively: false,
}

/**
 * All that guests need is in one file, even what other pages need. Otherwise, it would be a file for each combination.
 */
const guests = { name: 'guests', tags: ['$initial' as const] }

/** What every page behind the sign-in needs, and guests need only to see a message or a question. */
const popups = { name: 'popups', test: /\/pages\/(popups|toasts)\// }

/** Names for developer tools keep components that nothing uses, which is half of @inertiajs/react. */
const withoutUnusedParts: Plugin = {
  name: 'without-unused-parts',
  apply: 'build',
  transform: {
    filter: { id: /@inertiajs\/react/ },
    handler: (code) => code.replace(/^\w+\.displayName = .*$/gm, ''),
  },
}

/** There is one file of styles, and no list of preloads: an import needs no help. */
const withoutPreloads: Plugin = {
  name: 'without-preloads',
  apply: 'build',
  transform: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => 'export const __vitePreload = (load) => load()',
  },
}
