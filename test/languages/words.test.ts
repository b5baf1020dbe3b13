import t from 'tap'
import { words } from '../../examples/index.ts'
import { sources } from '../../pages/translation/scan.ts'
import { problemsOf } from '../../pages/translation/words.ts'
import { readCatalogs } from '../../plugins/languages/index.ts'

t.test('German and Arabic have every message, with the same values and all plurals, and no other', async (t) => {
  t.same(await problemsOf(), [])
})

t.test('so do the examples', async (t) => {
  const catalogs = [...(await readCatalogs()).values()]
  const extended = catalogs.map((one) => ({ ...one, words: { ...one.words, ...words[one.tag] } }))
  t.same(await problemsOf([...sources, 'examples/**/*.{ts,tsx}'], extended), [])
})
