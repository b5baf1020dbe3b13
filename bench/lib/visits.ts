import { Agent, get } from 'node:http'

// A separate process, so that only the server determines how long a response takes.

export type Visits = { url: string; cookie: string; connections: number; seconds: number }
export type Latency = { visits: number; p50: number; p99: number } // milliseconds

process.on('message', async ({ url, cookie, connections, seconds }: Visits) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const took: number[] = []
  const end = performance.now() + seconds * 1000
  const visitor = async () => {
    while (performance.now() < end) took.push(await visit(url, { agent, headers: { cookie, accept: 'text/html' } }))
  }
  await Promise.all(Array.from({ length: connections }, visitor))
  agent.destroy()
  took.sort((a, b) => a - b)
  const percentile = (share: number) => took[Math.floor(took.length * share)] ?? Number.NaN
  process.send?.({ visits: took.length, p50: percentile(0.5), p99: percentile(0.99) } satisfies Latency)
})
process.once('disconnect', () => process.exit())

function visit(url: string, options: Parameters<typeof get>[1] & object) {
  const start = performance.now()
  return new Promise<number>((resolve, reject) => {
    const request = get(url, options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume().once('end', () => resolve(performance.now() - start))
    })
    request.once('error', reject)
  })
}
