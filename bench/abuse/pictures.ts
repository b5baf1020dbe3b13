import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { residentMemory } from '../lib/children.ts'
import { limitRow, type Row } from '../lib/table.ts'
import { formOf } from '../lib/upload.ts'
import { type Browser, newAddress, signUp } from './attacker.ts'

const people = 100
const each = 10 // uploads, as many as the limit lets through
const stalled = 20 // uploads that never end
const sizes = { width: 7_000, height: 7_000 }

/**
 * A hundred people upload pictures that take as much memory and time as they can, others never finish theirs, and one
 * person sends far more than the limit. Measures how long the health check and the sign-in page take meanwhile, and the
 * memory of the process afterwards.
 */
export async function uploadPictures(application: { url: string; pid: number | undefined }): Promise<Row[]> {
  const { url, pid } = application
  const memory = async () => (await residentMemory(pid)) / 1024 ** 2
  const crowd: Browser[] = []
  for (let count = 0; count < people; count++) {
    const { browser } = await signUp(url, `painter-${count}@example.com`)
    crowd.push(browser)
  }
  const idle = await memory()

  const flat = sharp({ create: { ...sizes, channels: 4, background: 'red' } })
  const bombs = [await flat.avif({ effort: 0 }).toBuffer(), await flat.png({ progressive: true }).toBuffer()]
  const statuses = new Map<number, number>()
  const upload = async (browser: Browser, bomb: Buffer) => {
    const { headers, body: text } = formOf(bomb)
    const { status } = await browser.send('PUT', '/settings/picture', { from: newAddress(), headers, text })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const stop = new AbortController()
  const slowest = watch(url, ['/up', '/sign_in'], stop.signal)
  const waiting = crowd.slice(0, stalled).map((browser) => stall(url, browser, stop.signal))
  const first = crowd[0] as Browser
  await Promise.all([
    ...Array.from({ length: 10 * each }, () => upload(first, bombs[0] as Buffer)),
    ...crowd.map(async (browser) => {
      for (const bomb of bombs) await upload(browser, bomb)
    }),
  ])
  stop.abort()
  await Promise.all(waiting)
  await sleep(30_000)
  const failed = [...statuses].filter(([status]) => status >= 500 && status !== 503).length
  const worst = await slowest
  return [
    ...['/up', '/sign_in'].map((path) =>
      limitRow(`slowest ${path} while ${people} people upload bombs`, worst.get(path) ?? 0, {
        unit: 'ms',
        target: 2_000,
      }),
    ),
    limitRow(`memory 30 s afterwards, of ${idle.toFixed(0)} MiB before`, (await memory()) / idle, {
      unit: '×',
      target: 1.5,
      digits: 2,
    }),
    limitRow(`kinds of failures, of ${JSON.stringify(Object.fromEntries(statuses))}`, failed, { unit: '', target: 0 }),
  ]
}

/** Asks for these paths in turn until the end, and returns how long each took at most, in milliseconds. */
async function watch(url: string, paths: string[], signal: AbortSignal) {
  const worst = new Map<string, number>()
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36' }
  while (!signal.aborted) {
    for (const path of paths) {
      const start = performance.now()
      await fetch(`${url}${path}`, { headers }).then((response) => response.arrayBuffer())
      worst.set(path, Math.max(worst.get(path) ?? 0, performance.now() - start))
    }
    await sleep(50)
  }
  return worst
}

/** Sends half of an upload, and waits for what comes of it. */
async function stall(url: string, { head }: Browser, signal: AbortSignal) {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(formOf(Buffer.alloc(4_000_000)).body.subarray(0, 4_000_000)),
  })
  const headers = { ...head, 'content-type': formOf(Buffer.alloc(0)).headers['content-type'] }
  const sent = { method: 'PUT', headers, body, duplex: 'half', redirect: 'manual', signal } as RequestInit
  await fetch(`${url}/settings/picture`, sent).catch(() => {})
}
