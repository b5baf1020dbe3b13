import { enableCompileCache, registerHooks } from 'node:module'

enableCompileCache()
// Node parses the `exports` of a package anew for each of its files that it loads. Without this, the 700 entries of
// drizzle-orm and the 700 files of typebox cost half of the boot and 150 MB.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && /\/node_modules\/(drizzle-orm|typebox)\//.test(context.parentURL ?? '')
      ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context),
})
await import('./server/boot.ts') // compiled from the cache, unlike what this file imports
