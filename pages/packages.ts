import { readFileSync, writeFileSync } from 'node:fs'

/** What the pages are built with, of the packages for development. */
export const packages = [
  '@base-ui/react',
  '@fontsource-variable/instrument-sans',
  '@fontsource-variable/readex-pro',
  '@inertiajs/core',
  '@inertiajs/react',
  '@simplewebauthn/browser',
  '@vitejs/plugin-react',
  'lucide-react',
  'react',
  'react-dom',
  'vite',
]

// The image's build installs these alone: no test tools, drivers of browsers or embedded Postgres.
if (import.meta.main) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const kept = Object.entries(manifest.devDependencies).filter(([name]) => packages.includes(name))
  writeFileSync('package.json', JSON.stringify({ ...manifest, devDependencies: Object.fromEntries(kept) }))
}
