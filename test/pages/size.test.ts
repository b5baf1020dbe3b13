import { gzipSync } from 'node:zlib'
import t from 'tap'
import { startApp } from '../helpers/app.ts'

t.test('the sign-in page loads at most 110 kB of JavaScript and 12 kB of styles', async (t) => {
  const { app } = await startApp(t)
  const get = async (url: string) => (await app.inject({ url, headers: { 'accept-encoding': 'identity' } })).rawPayload
  const packed = async (urls: Iterable<string>) => {
    const files = await Promise.all(Array.from(urls, get))
    return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0)
  }

  const document = String(await get('/sign_in'))
  const scripts = new Set(Array.from(document.matchAll(/"(\/assets\/[^"]+\.js)"/g), ([, url = '']) => url))
  // A static import that the document does not name is loaded all the same.
  for (const url of scripts) {
    for (const [, file] of String(await get(url)).matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)/g)) {
      scripts.add(`/assets/${file}`)
    }
  }
  const styles = Array.from(document.matchAll(/"(\/assets\/[^"]+\.css)"/g), ([, url = '']) => url)

  t.ok(scripts.size > 1)
  t.equal(styles.length, 1)
  t.ok((await packed(scripts)) <= 110_000, `${await packed(scripts)} bytes of JavaScript`)
  t.ok((await packed(styles)) <= 12_000, `${await packed(styles)} bytes of styles`)
})
