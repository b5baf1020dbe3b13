import { globSync, readFileSync } from 'node:fs'
import t from 'tap'
import { sharedApp } from '../helpers/app.ts'

// What one of the oldest browsers that pass the browser check (Chrome 120, Firefox 121, Safari 17.2) lacks. The build
// rewrites syntax for them, but no functions.
const missing = [
  ...['Object.groupBy(', 'Map.groupBy(', 'Promise.withResolvers(', 'Promise.try(', 'URL.parse(', 'RegExp.escape('],
  ...['Array.fromAsync(', 'Iterator.from(', '.isSubsetOf(', '.symmetricDifference(', 'Uint8Array.fromBase64('],
]

t.test('scripts call nothing that the oldest supported browsers lack', async (t) => {
  await sharedApp(t) // whose helper has built them
  const scripts = globSync('build/client/*.js')
  t.ok(scripts.length > 20)
  const found = scripts.flatMap((file) => {
    const script = readFileSync(file, 'utf8')
    return missing.filter((call) => script.includes(call)).map((call) => `${call} in ${file}`)
  })
  t.same(found, [])
})
