import t from 'tap'
import { problemsOf } from '../../pages/translation/words.ts'

t.test(
  'German and Arabic say everything, with the same values, all plurals, and nothing that nobody says',
  async (t) => {
    t.same(await problemsOf(), [])
  },
)
