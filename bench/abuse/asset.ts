import { Agent, get } from 'node:http'

// A separate process, so that only the server determines how long a file takes.

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

process.on('message', async ({ url, seconds }: { url: string; seconds: number }) => {
  const end = performance.now() + seconds * 1000
  let slowest = 0
  while (performance.now() < end) slowest = Math.max(slowest, await visit(url))
  process.send?.({ slowest })
})
process.once('disconnect', () => process.exit())

function visit(url: string) {
  const start = performance.now()
  return new Promise<number>((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume().once('end', () => resolve(performance.now() - start))
    })
    request.once('error', reject)
  })
}
