import t from 'tap'
import { problemsOf } from '../../pages/translation/words.ts'

t.test('German and Arabic have every message, with the same values and all plurals, and no other', async (t) => {
  t.same(await problemsOf(), [])
})
