import { enableCompileCache, type ResolveFnOutput, registerHooks } from 'node:module'

// Must run before anything large is imported. Keeps stripped and compiled sources across starts.
enableCompileCache()

// For every imported file, Node searches for the package.json that determines its module format. For relative imports
// the extension already tells. Drizzle-orm's extensions do not, and Node would parse its 180 kB package.json again for
// each of its hundreds of modules, which takes as long as the rest of the imports, and 120 MiB.
const formats: Record<string, string> = { '.mjs': 'module', '.ts': 'module-typescript' }

// Node would parse it for each of our own files that imports it, too, which takes 100 ms of a start.
export const packages = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    if (!parentURL) return next(specifier, context)
    if (!specifier.startsWith('.')) {
      if (parentURL.includes('/node_modules/')) return next(specifier, context)
      const found = packages.get(specifier) ?? next(specifier, context)
      packages.set(specifier, found)
      return { ...found, shortCircuit: true }
    }
    const format = parentURL.includes('/node_modules/drizzle-orm/')
      ? 'module'
      : formats[specifier.slice(specifier.lastIndexOf('.'))]
    return format ? { url: new URL(specifier, parentURL).href, format, shortCircuit: true } : next(specifier, context)
  },
})
