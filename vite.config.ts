import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig(({ command }) => ({
  appType: 'custom',
  base: '/assets/',
  publicDir: false, // the server serves pages/public itself, at URLs that never change
  plugins: [react(), ...prunings],
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
        rolldownOptions: { input: 'pages/main.tsx', output: { codeSplitting: { groups: [vendor, entrance, icons] } } },
      },
    },
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

/** Shared by all pages and rarely changed: one file, which compresses better than several. */
const vendor = {
  name: 'vendor',
  test: /rolldown|node_modules\/(react|react-dom|scheduler|@inertiajs|laravel-precognition|es-toolkit)\//,
  includeDependenciesRecursively: false,
}

const modules = [
  'features/paths',
  '@base-ui/react/(csp-provider|internals/csp-context)',
  'pages/(app|auth/joining|hooks/hydrated)',
  'pages/forms/(email-field|field|form|password-field|typed-address)',
  'pages/layouts/(auth|page-alert|skip-link)',
  'pages/shared/(alert|arches|brand|button|heading|icons)',
  'pages/visits/(alerts|background|chunks|drafts|encryption|files|flashes|focus|requested-reset|session|storage)',
  'pages/words/(answers|lazily|messages)',
]

/** Everything the sign-in pages need: one file instead of a request for each small module. */
const entrance = {
  name: 'entrance',
  test: new RegExp(`(${modules.join('|')})(\\.tsx?$|.*\\.mjs$)`),
  includeDependenciesRecursively: false,
}

/** A file for each icon would be a request for each. */
const icons = { name: 'icons', test: /node_modules\/lucide-react\//, includeDependenciesRecursively: false }

/**
 * Code that no page uses but no bundler can remove by itself. Each pattern must match, so the build fails if an update
 * changes it.
 */
const prunings = [
  // Inertia's package has no purity annotations, so its infinite scrolling would be part of every page.
  prune('infinite-scroll', /@inertiajs\/react\/dist\/index\.js$/, [
    [/= (forwardRef\d*\()/g, '= /* @__PURE__ */ $1'],
    [/^\w+\.displayName = .*$/gm, ''],
  ]),
  // main.tsx renders by itself, and only in a browser.
  prune('rendering', /@inertiajs\/react\/dist\/index\.js$/, [
    [/let appElement = .*?createRoot\(el\)\.render\(appElement\);\n {4}\}\n/s, ''],
    [/ {2}if \(isServer && !page && !render\) \{.*?\n {2}\}\n/s, ''],
    [/ {2}if \(isServer && render && reactApp\) \{.*?\n {2}\}\n/s, ''],
  ]),
  prune('dialog-polls-and-reset', /@inertiajs\/core\/dist\/index\.js$/, [
    // A dialog for responses that are not pages. visits/failures.ts handles them.
    [/(?<=\/\/ src\/dialog\.ts\n).*?(?=\n\/\/ src\/partialReload\.ts)/s, 'var dialog_default = { show() {} }'],
    // Pages do not poll: the live stream tells them what changed.
    [/(?<=\/\/ src\/poll\.ts\n).*?(?=\n\/\/ src\/request\.ts)/s, 'var polls = { count: 0 }'],
    // Nothing to change, but without its patch (patches/README.md) the client is not to be built.
    [/\+\+history\.traversals/, '$&'],
    // Forms are remounted instead of being reset.
    [/function resetFormFields\(.*?\n\}\n/s, 'function resetFormFields() {}\n'],
  ]),
  // No form uploads files.
  prune('files-of-visits', /@inertiajs\/core\/dist\/index\.js$/, [
    [
      /(?<=\/\/ src\/files\.ts\n).*?(?=\n\/\/ src\/queryString\.ts)/s,
      'var isFile = () => false, hasFiles = isFile, isFormData = isFile, objectToFormData = (data) => data',
    ],
  ]),
  prune('files', /laravel-precognition\/dist\/http\/fetchClient\.js$/, [
    [/function toFormData\(.*?(?=\/\*\*\n \* Prepare)/s, 'const toFormData = (data) => data\n'],
  ]),
  // Without preloads and with a single stylesheet, it has nothing to do.
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
          if (code.search(what) < 0) this.error(`There is no ${what} in ${id}. Was it updated, or is npm ci due?`)
          code = code.replace(what, instead)
        }
        return { code, map: null }
      },
    },
  }
}
