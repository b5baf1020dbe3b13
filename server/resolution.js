import { registerHooks } from 'node:module'

// Node parses the `exports` of a package again for each import of it, and both of these have hundreds. Without this,
// they cost half of the boot and 120 MB.
const packages = /(^|\/node_modules\/)(drizzle-orm|typebox)(\/|$)/
const resolutions = new Map()
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && packages.test(context.parentURL ?? ''))
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    if (!packages.test(specifier)) return next(specifier, context)
    const resolved = resolutions.get(specifier) ?? { ...next(specifier, context), shortCircuit: true }
    resolutions.set(specifier, resolved)
    return resolved
  },
})
