import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig(({ command }) => ({
  appType: 'custom',
  base: '/assets/',
  publicDir: false, // the server serves pages/public itself, under addresses that never change
  plugins: [react(), ...prunings],
  build: {
    assetsDir: '',
    assetsInlineLimit: 0, // the security policy allows no data: fonts
    cssCodeSplit: false,
    // The oldest browsers that pass the browser check.
    target: ['chrome120', 'firefox121', 'safari17.2', 'opera106'],
    emptyOutDir: true,
    reportCompressedSize: false,
    modulePreload: false, // the server names what a page needs; a list of it for every other page would weigh more than it saves
  },
  environments: {
    client: {
      build: {
        outDir: 'build/client',
        manifest: true,
        rolldownOptions: { input: 'pages/main.tsx', output: { codeSplitting: { groups: [vendor, entrance] } } },
      },
    },
    ssr: {
      build: {
        outDir: 'build/ssr',
        ssr: true,
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

/** What every page is made of, and what changes seldom: one file, which compresses better than its parts. */
const vendor = {
  name: 'vendor',
  test: /rolldown|node_modules\/(react|react-dom|scheduler|@inertiajs|laravel-precognition|es-toolkit)\//,
  includeDependenciesRecursively: false,
}

/** What the way in is made of: one file, where there would be a request for each of its small modules. */
const entrance = {
  name: 'entrance',
  test: /(features\/paths|@base-ui\/react\/(csp-provider|internals\/csp-context)|pages\/(app|auth\/joining|forms\/(email-field|field|form|password-field|typed-address)|hooks\/hydrated|layouts\/(auth|page-alert|skip-link)|shared\/(alert|arches|brand|button|heading|icons)|visits\/(alerts|background|chunks|drafts|encryption|files|flashes|focus|requested-reset|session|storage)|words\/(answers|messages)))(\.tsx?$|.*\.mjs$)/,
  includeDependenciesRecursively: false,
}

/**
 * What no page uses, and no bundler may leave out by itself. Each is a text that must be there, so that an update of a package which changes it
 * fails the build.
 */
const prunings = [
  // Inertia's package marks nothing as pure, so that its infinite scrolling would be a part of every page.
  prune('infinite-scroll', /@inertiajs\/react\/dist\/index\.js$/, [
    [/= (forwardRef\d*\()/g, '= /* @__PURE__ */ $1'],
    [/^\w+\.displayName = .*$/gm, ''],
  ]),
  prune('dialog-polls-and-reset', /@inertiajs\/core\/dist\/index\.js$/, [
    // A window for answers that are no pages: visits/failures.ts says what they mean.
    [/(?<=\/\/ src\/dialog\.ts\n).*?(?=\n\/\/ src\/partialReload\.ts)/s, 'var dialog_default = { show() {} }'],
    // No page asks again and again: what changes is told by the live stream.
    [/(?<=\/\/ src\/poll\.ts\n).*?(?=\n\/\/ src\/request\.ts)/s, 'var polls = { count: 0 }'],
    // A form here begins anew as another one.
    [/function resetFormFields\(.*?\n\}\n/s, 'function resetFormFields() {}\n'],
  ]),
  // No form here has files.
  prune('files', /laravel-precognition\/dist\/http\/fetchClient\.js$/, [
    [/function toFormData\(.*?(?=\/\*\*\n \* Prepare)/s, 'const toFormData = (data) => data\n'],
  ]),
  // Without preloads and with one stylesheet it has nothing to do.
  prune('preload-helper', /vite\/preload-helper/, [[/^.*$/s, 'export const __vitePreload = (load) => load()']]),
]

function prune(name: string, id: RegExp, changes: [RegExp, string][]): Plugin {
  return {
    name: `prune-${name}`,
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id },
      handler(code) {
        for (const [what, instead] of changes) {
          if (code.search(what) < 0) this.error(`There is no ${what} in ${id} any more`)
          code = code.replace(what, instead)
        }
        return { code, map: null }
      },
    },
  }
}
