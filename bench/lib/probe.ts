import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

// A separate process, like a real health check, so its timing does not depend on the load generator.

export type Probed = { asked: number; failed: number; p50: number; p99: number; longest: number } // milliseconds

process.on('message', async ({ url, seconds }: { url: string; seconds: number }) => {
  const took: number[] = []
  let failed = 0
  const asked: Promise<unknown>[] = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(50)) {
    asked.push(
      timeRequest(url).then(
        (ms) => took.push(ms),
        () => failed++,
      ),
    )
  }
  await Promise.all(asked)
  took.sort((a, b) => a - b)
  const percentile = (share: number) => took[Math.floor(took.length * share)] ?? Number.NaN
  const longest = took.at(-1) ?? Number.NaN
  process.send?.({ asked: asked.length, failed, p50: percentile(0.5), p99: percentile(0.99), longest } satisfies Probed)
})
process.once('disconnect', () => process.exit())

function timeRequest(url: string) {
  const start = performance.now()
  return new Promise<number>((resolve, reject) => {
    request(url, { agent: false, timeout: 20_000 }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
      response.resume().once('end', () => resolve(performance.now() - start))
    })
      .once('error', reject)
      .end()
  })
}
