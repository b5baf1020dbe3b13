import t from 'tap'
import { collectLines, sharedApp, startApp } from '../../helpers/app.ts'

t.test('every response carries a unique id, and so does its log line', async (t) => {
  const { lines, logTo } = collectLines()
  const { app } = await startApp(t, { LOG_LEVEL: 'info', TRUST_PROXY: '0' }, { logTo })
  app.get('/breaks', () => {
    throw new Error('broken')
  })
  lines.splice(0)
  const urls = ['/sign_in', '/nowhere', '/robots.txt', '/breaks', '/settings/profile', '/users/%']
  const ids = new Set<unknown>()
  for (const url of urls) {
    const response = await app.inject(url)
    const id = response.headers['x-request-id']
    t.match(id, /^[\w-]{10,64}$/, url)
    ids.add(id)
    const logged = lines.splice(0).map(({ reqId }) => reqId)
    t.same(logged, [id], url)
  }
  t.equal(ids.size, urls.length)
})

t.test("the proxy's id is kept if it is well-formed", async (t) => {
  const { app } = await sharedApp(t)
  const idFor = async (given: string) =>
    (await app.inject({ url: '/up', headers: { 'x-request-id': given } })).headers['x-request-id']
  for (const given of ['7', 'edge_1-A', 'x'.repeat(64)]) t.equal(await idFor(given), given)
  for (const given of ['', 'x'.repeat(65), 'a b', 'ä', 'a"b', 'a;b', '<script>']) {
    const id = await idFor(given)
    t.ok(id !== given && /^[\w-]{10,64}$/.test(String(id)), given)
  }
})
