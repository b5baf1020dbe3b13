import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { chromiumSwitches, headlessPath } from '../development/chromium.ts'
import type { Owner } from '../test/helpers/owner.ts'
import { median, type Row } from './load.ts'
import { residentMemory, startServer } from './server.ts'

/** From the start of the process to the first 200, with a database that is up to date. */
export async function benchBoot(owner: Owner, databaseUrl: string): Promise<Row[]> {
  await (await startServer(owner, databaseUrl)).stop() // compiles
  const boots: { ms: number; bytes: number }[] = []
  for (let n = 0; n < 5; n++) {
    const { startedInMs: ms, pid, stop } = await startServer(owner, databaseUrl)
    await sleep(1000)
    boots.push({ ms, bytes: await residentMemory(pid) })
    await stop()
  }
  return [
    ['boot to the first 200', '≤ 1200 ms', `${Math.round(median(boots.map(({ ms }) => ms)))} ms`],
    ['memory after boot', '≤ 170 MiB', inMiB(median(boots.map(({ bytes }) => bytes)))],
  ]
}

const inMiB = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`

/** All scripts that a browser loads for the sign-in page before somebody acts. */
export async function benchScript(owner: Owner, databaseUrl: string): Promise<Row[]> {
  const { url } = await startServer(owner, databaseUrl)
  const browser = await chromium.launch({ executablePath: headlessPath ?? 'chromium', args: chromiumSwitches })
  owner.teardown(() => browser.close())
  const page = await browser.newPage()
  const scripts: Promise<number>[] = []
  page.on('response', (response) => {
    if (/javascript/.test(response.headers()['content-type'] ?? ''))
      scripts.push(response.body().then((body) => gzipSync(body).length))
  })
  await page.goto(`${url}/sign_in`, { waitUntil: 'networkidle' })
  await sleep(3000)
  const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)
  const result = `${(bytes / 1000).toFixed(1)} kB in ${scripts.length} files`
  return [['script of the sign-in page before somebody acts, gzip', '≤ 125 kB', result]]
}
