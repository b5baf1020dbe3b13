import { enableCompileCache, registerHooks } from 'node:module'

// Before anything large is loaded. The cache keeps stripped and compiled sources from start to start.
enableCompileCache()

// For each of the hundreds of modules of drizzle-orm Node would read its package.json anew, all 180 kB of it, to find out that a relative
// path is a relative path: most of a second, and 200 MB. The way to a neighbour needs no package.json.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && context.parentURL?.includes('/node_modules/drizzle-orm/')
      ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context),
})
