import { cp, realpath, rename, rm } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { cloneProject } from '../helpers/clone.ts'
import { createDatabase } from '../helpers/database.ts'
import { noNginx, startNginx } from '../helpers/nginx.ts'
import { production, serve } from '../helpers/server.ts'

t.test('while two versions run behind nginx, no document misses an asset', { skip: noNginx }, async (t) => {
  const DATABASE_URL = await createDatabase(t)
  const before = await serve(t, { ...production, DATABASE_URL })
  const after = await startNextVersion(t, DATABASE_URL)
  const { origin: proxy } = await startNginx(t, [before.port, after.port])

  const entries = new Set<string>()
  const missing: string[] = []
  for (let count = 0; count < 200; count++) {
    const response = await fetch(`${proxy}/sign_in`, { headers: { connection: 'close' } })
    const assets = (await response.text()).match(/\/assets\/[\w.-]+/g) ?? []
    entries.add(assets.find((path) => path.includes('/main-')) ?? '')
    const fonts = response.headers.get('link')?.match(/\/assets\/[\w.-]+/g) ?? []
    for (const path of [...assets, ...fonts]) if (!(await isThere(proxy + path))) missing.push(path)
  }
  t.equal(entries.size, 2, 'documents of both versions')
  t.same(missing, [])
  t.notOk(await isThere(`${proxy}/assets/none-such.js`))
})

const isThere = async (url: string) => (await fetch(url, { method: 'HEAD' })).ok

/** This version with the names that its script and its styles would have after a change. */
async function startNextVersion(t: Test, DATABASE_URL: string) {
  const clone = await cloneProject(t)
  const build = `${clone.folder}/build`
  const files = await realpath(build)
  await rm(build) // the link
  await cp(files, build, { recursive: true })
  let manifest = await clone.read('build/client/.vite/manifest.json')
  const { 'pages/main.tsx': script, 'style.css': styles } = JSON.parse(manifest)
  for (const name of [script.file, styles.file]) {
    await rename(`${build}/client/${name}`, `${build}/client/main-next-${name}`)
    manifest = manifest.replaceAll(`"${name}"`, `"main-next-${name}"`)
  }
  await clone.write('build/client/.vite/manifest.json', manifest)
  const environment = { ...production, DATABASE_URL, MAILER_HOST: '127.0.0.1' }
  const { origin, until } = await clone.start('start', environment, [process.execPath, 'server.ts'])
  await until('/up', (text) => text.includes('Up'))
  return { port: Number(new URL(origin).port) }
}
