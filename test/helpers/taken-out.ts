import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readModules, root } from '../../development/graph/modules.ts'
import { everyFile, isOf, isTable } from '../../development/without/options.ts'
import { planWithout } from '../../development/without/plan.ts'

// A process of `test/development/options.test.ts`: imports tests in the project as it would be without the named options,
// whose files cannot be loaded. No file is changed.

const [names = '', tests = ''] = process.argv.slice(2)
const out = names.split(',').filter(Boolean)
const own = everyFile().filter((file) => out.some((name) => isOf(name, file)))
const tables = own.filter(isTable)
const { changed, gone, broken } = planWithout(
  own.filter((file) => !tables.includes(file)),
  readModules(),
  tables,
)
if (broken.length > 0) throw new Error(JSON.stringify(broken))

registerHooks({
  load(url, context, next) {
    const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : ''
    // What tests of everything find by a pattern is empty.
    if (gone.has(file) && file.startsWith('test/')) return { format: 'module', source: '', shortCircuit: true }
    if (gone.has(file)) throw new Error(`${file} is loaded`)
    const source = changed.get(file)
    return source === undefined
      ? next(url, context)
      : { format: 'module', source: stripTypeScriptTypes(source), shortCircuit: true }
  },
})

for (const test of tests.split(',').filter((file) => !gone.has(file))) await import(`${root}${test}`)
