import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { words } from './pages/translation/vite.ts'

export default defineConfig(({ command }) => ({
  appType: 'custom',
  base: '/assets/',
  publicDir: false, // the server serves pages/public itself, at URLs that never change
  plugins: [react(), words()],
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
          output: { codeSplitting: { groups: [vendor, entrance, icons, shell] } },
        },
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

/** Everything the sign-in pages need: one file instead of a request for each small module. */
const entrance = group('entrance', [
  'brand/sign',
  'features/paths',
  '@base-ui/react/(csp-provider|internals/csp-context)',
  'pages/(app|auth/joining|hooks/hydrated)',
  'pages/forms/(email-field|field|form|labelled|password-field|typed-address)',
  'pages/layouts/(auth|language-picker|page-alert|skip-link)',
  'pages/shared/(alert|arches|brand|button|heading|icons|languages|title)',
  'pages/visits/(alerts|background|chunks|drafts|encryption|failures)',
  'pages/visits/(files|flashes|focus|requested-reset|session|storage|way-in)',
  'pages/words/(answers|lazily|load|messages|t)',
  'plugins/languages/(text|translate)',
  'vite/preload-helper',
])

/** A file for each icon would be a request for each. */
const icons = group('icons', ['node_modules/lucide-react/'])

/** What the pages behind them share. A page names each file that it needs, in every response. */
const shell = group('shell', [
  'pages/layouts/(account-switcher|app|settings|user-menu|verification-banner)',
  'pages/live/(connection|exit-account|hooks|reload|tab)',
  'pages/popups/(ask|deletion|opener|with-password)',
  'pages/shared/(avatar|more|name|resend-verification|time)',
  'pages/visits/(last-account|settled|verified-elsewhere)',
  'pages/words/(letters|methods|roles)',
])

function group(name: string, modules: string[]) {
  const test = new RegExp(`(${modules.join('|')})(\\.[jt]sx?$|\\.svg\\?raw$|.*\\.mjs$)`)
  return { name, test, includeDependenciesRecursively: false }
}
