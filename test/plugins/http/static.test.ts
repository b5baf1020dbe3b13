import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { buildWhatIsStale } from '../../../development/build.ts'
import { listen, sharedApp } from '../../helpers/app.ts'

await buildWhatIsStale()
const built = readdirSync(new URL('../../../build/client/', import.meta.url)).filter((name) => name.endsWith('.js'))
const asset = `/assets/${built[0]}`

t.test('public files are cached for an hour, assets for a year, however their URL is encoded', async (t) => {
  const { app } = await sharedApp(t)
  const [hour, year] = ['public, max-age=3600', 'public, max-age=31536000, immutable']
  for (const [url, type, cache] of [
    ['/robots.txt', 'text/plain; charset=utf-8', hour],
    ['/robots%2etxt', 'text/plain; charset=utf-8', hour],
    ['/icon.png', 'image/png', hour],
    ['/card.png', 'image/png', hour],
    ['/icon.svg', 'image/svg+xml', hour],
    ['/typeface.woff2', 'font/woff2', hour],
    ['/404.html', 'text/html; charset=utf-8', hour],
    ['/406-unsupported-browser.html', 'text/html; charset=utf-8', hour],
    [asset, 'application/javascript; charset=utf-8', year],
    [asset.replace('/assets/', '/%61ssets/'), 'application/javascript; charset=utf-8', year],
  ] as const) {
    const { statusCode, headers } = await app.inject(url)
    t.same([statusCode, headers['content-type'], headers['cache-control']], [200, type, cache], url)
    t.match(await app.inject({ url, method: 'HEAD' }), { statusCode: 200, body: '' })
  }
})

t.test('COMPRESSION applies to pages and files', async (t) => {
  for (const [setting, encoding] of Object.entries({ true: 'br', false: undefined })) {
    const { app } = await sharedApp(t, { COMPRESSION: setting })
    for (const url of ['/sign_in', '/error-pages.css']) {
      const { headers } = await app.inject({ url, headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } })
      t.equal(headers['content-encoding'], encoding, `${url} ${setting}`)
    }
  }
})

t.test('missing and hidden files, folders and paths outside are the 404 page', async (t) => {
  const { app } = await sharedApp(t)
  await listen(app)
  const { port } = new URL(app.listeningOrigin)
  t.ok(existsSync(new URL('../../../build/client/.vite/manifest.json', import.meta.url)), 'there is something to hide')
  const page = (await app.inject('/404.html')).body
  const hidden = ['.vite', '%2evite', '%2Evite', '.%76ite'].flatMap((folder) =>
    ['/', '%2f', '%2F', '%5c', '\\', '//'].map((slash) => `/assets/${folder}${slash}manifest.json`),
  )
  const outside = [
    ...['/%2e%2e/ssr/ssr.js', '/../ssr/ssr.js', '/..%2fssr%2fssr.js', '/%2e%2e%5cssr%5cssr.js', '/.%2e/ssr/ssr.js'],
    ...['', '/', '/.', '/..', '/missing.js'],
  ].map((path) => `/assets${path}`)
  const urls = [
    ...[...hidden, ...outside, '/.vite/manifest.json', '/.env', '/.git/config', '/ROBOTS.TXT'],
    ...['/../package.json', '/..%2fpackage.json', '/%2e%2e/%2e%2e/package.json', '/%E0%A4%A', '/%', '/robots%2etxt%'],
    ...[`${asset}%00`, `${asset}%00.js`, `${asset}.map`, '/robots.txt%00', '/robots.txt%2f'],
  ]
  for (const url of urls) {
    const { status, cacheControl, body } = await getAsWritten(port, url)
    t.same([status, cacheControl, body], [404, 'no-cache', page], url)
  }
})

/** Sends the path as it is, which browsers and inject would normalize. */
async function getAsWritten(port: string, path: string) {
  const [response] = await once(get({ host: '127.0.0.1', port, path, agent: false }), 'response')
  return { status: response.statusCode, cacheControl: response.headers['cache-control'], body: await text(response) }
}
