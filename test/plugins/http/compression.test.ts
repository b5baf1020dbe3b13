import { gzipSync } from 'node:zlib'
import t from 'tap'
import { sharedApp, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'

const asking = { 'accept-encoding': 'gzip, deflate, br, zstd' }

t.test('a compressed body is not unpacked', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const response = await app.inject({
    method: 'POST',
    url: '/sign_in',
    headers: {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      cookie: browser.cookieHeader(),
      ...browser.csrfHeader(),
    },
    payload: gzipSync(JSON.stringify({ email: '0'.repeat(100_000) })),
  })
  t.equal(response.statusCode, 400)
})

t.test('COMPRESSION applies to pages and files', async (t) => {
  for (const [setting, encoding] of [
    ['true', 'br'],
    ['false', undefined],
  ] as const) {
    const { app } = await startApp(t, { COMPRESSION: setting })
    for (const url of ['/sign_in', '/error-pages.css']) {
      t.equal((await app.inject({ url, headers: asking })).headers['content-encoding'], encoding, `${url} ${setting}`)
    }
  }
})
