import t from 'tap'
import { reserved } from '../features/accounts/slugs.ts'
import { paths } from '../features/paths.ts'
import { startApp } from './helpers/app.ts'

t.test('every address is a route', async (t) => {
  const { app } = await startApp(t)
  for (const [name, path] of Object.entries(paths)) {
    const { url, method } = (
      path as (...args: string[]) => { url: string; method: 'get' | 'post' | 'patch' | 'delete' }
    )('acme', '1')
    if (url === '/invitations/acme') continue // an unknown token is 404 like no route at all; its own tests open it
    // A guest without a CSRF token gets 302 or 422 from a route that they may not use, and 404 from none at all.
    const response = await app.inject({ method, url })
    t.not(response.statusCode, 404, `${name}: ${method} ${url}`)
  }
})

t.test('no account can take an address that the application serves', async (t) => {
  const { app } = await startApp(t)
  const lines = app.printRoutes({ commonPrefix: false }).split('\n')
  const segments = lines.flatMap((line) => /^ {4}[├└]── ([^/:* (]+)/.exec(line)?.[1] ?? [])
  t.ok(segments.includes('settings'), 'the routes could be read')
  for (const segment of segments) t.ok(reserved.has(segment) || !/^[a-z0-9-]{3,40}$/.test(segment), segment)
})
