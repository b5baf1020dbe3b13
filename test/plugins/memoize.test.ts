import t from 'tap'
import { memoize } from '../../plugins/memoize.ts'

function counting(limit: number) {
  const computed: string[] = []
  const ask = memoize((text: string) => {
    computed.push(text)
    return text.startsWith('forged') ? undefined : text.length
  }, limit)
  return { computed, ask }
}

const some = (count: number, of = 'cookie') => Array.from({ length: count }, (_, number) => `${of} ${number}`)

t.test('what is used again and again is computed once, also when there is one too many', async (t) => {
  const { computed, ask } = counting(10)
  for (let time = 0; time < 5; time++) for (const cookie of some(11)) t.equal(ask(cookie), cookie.length)
  t.same(computed, some(11))
})

t.test('what nobody uses any more is forgotten', async (t) => {
  const { computed, ask } = counting(10)
  for (const cookie of [...some(30), 'cookie 0']) ask(cookie)
  t.same(computed, [...some(30), 'cookie 0'])
})

t.test('a forgery is not kept, and pushes out nothing', async (t) => {
  const { computed, ask } = counting(10)
  for (const cookie of ['cookie 0', ...some(30, 'forged'), 'forged 0', 'cookie 0']) ask(cookie)
  t.same(computed, ['cookie 0', ...some(30, 'forged'), 'forged 0'])
})
