import { enableCompileCache, registerHooks } from 'node:module'

// Before anything large is loaded. The cache keeps stripped and compiled sources from start to start.
enableCompileCache()

// Node looks for each file that is imported, and for its package.json, to find out what kind of module it is. A relative path says that by
// itself where its ending does. Drizzle-orm's does not, but its hundreds of modules would have the 180 kB of its package.json read anew
// for each: most of a second, and 200 MB.
const formats: Record<string, string> = { '.mjs': 'module', '.ts': 'module-typescript' }

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    if (!specifier.startsWith('.') || !parentURL) return next(specifier, context)
    const format = parentURL.includes('/node_modules/drizzle-orm/')
      ? 'module'
      : formats[specifier.slice(specifier.lastIndexOf('.'))]
    return format ? { url: new URL(specifier, parentURL).href, format, shortCircuit: true } : next(specifier, context)
  },
})
