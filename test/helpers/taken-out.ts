import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

// A process of `test/helpers/without.ts`: imports tests in the project as it would be by the plan that it reads
// from its standard input. What is gone cannot be loaded. No file is changed.

type Given = { changed: [string, string][]; gone: string[]; tests: string[] }

const { tests, ...plan }: Given = JSON.parse(await text(process.stdin))
const root = fileURLToPath(new URL('../../', import.meta.url))
const [changed, gone] = [new Map(plan.changed), new Set(plan.gone)]

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

for (const test of tests.filter((file) => !gone.has(file))) await import(root + test)
