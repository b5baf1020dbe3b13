import Fastify from 'fastify'
import t from 'tap'
import turns from '../../../plugins/http/turns.ts'

t.test('of changes that arrive at once, a few begin in each turn, in order, and pages go before them', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(turns)
  let turn = 0
  let counting = setImmediate(function next() {
    turn++
    counting = setImmediate(next)
  })
  t.teardown(() => clearImmediate(counting))
  const begun: { number: number; turn: number }[] = []
  app.addHook('onRequest', async ({ method, url }) => {
    if (method === 'POST') begun.push({ number: Number(url.slice(1)), turn })
  })
  app.all('/*', async () => 'done')

  const numbers = Array.from({ length: 100 }, (_, number) => number)
  const changes = numbers.map((number) => app.inject({ method: 'POST', url: `/${number}` }))
  t.equal((await app.inject('/page')).body, 'done')
  t.ok(begun.length < 100, `a page came after ${begun.length} of them`)
  for (const { body } of await Promise.all(changes)) t.equal(body, 'done')

  t.same(
    begun.map(({ number }) => number),
    numbers,
  )
  for (const some of Map.groupBy(begun, ({ turn }) => turn).values()) t.ok(some.length <= 8)
})
