import { Agent, request } from 'node:http'

const rounds = 5

export type Load = {
  url: string
  status: number
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** Sends each request from another client, so that limits count every request but block none. */
  manyClients?: boolean
  connections?: number
  seconds?: number
}

/** Responses per second. Throws on any other status: errors are fast and would look good. */
async function throughput({ connections = 32, seconds = 3, ...load }: Load) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const start = performance.now()
  const end = start + seconds * 1000
  let count = 0
  async function visitor() {
    while (performance.now() < end) await send(load, agent, count++)
  }
  await Promise.all(Array.from({ length: connections }, visitor))
  agent.destroy()
  return (count * 1000) / (performance.now() - start)
}

function send({ url, status, method = 'GET', headers = {}, body, manyClients }: Load, agent: Agent, count: number) {
  const client = manyClients && { 'x-forwarded-for': `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}` }
  return new Promise<void>((resolve, reject) => {
    const sent = request(url, { agent, method, headers: { ...headers, ...client } }, (response) => {
      if (response.statusCode !== status) return reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume().once('end', resolve)
    })
    sent.once('error', reject).end(body)
  })
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number

export type Row = [what: string, target: string, result: string]

/** Our rate as a share of that of a bare route, in alternating rounds, so that a slow machine affects both. */
export async function besideBare(what: string, ours: Load, theirs: Load, target: number): Promise<Row> {
  await throughput(ours)
  await throughput(theirs)
  const pairs: [number, number][] = []
  for (let round = 0; round < rounds; round++) pairs.push([await throughput(ours), await throughput(theirs)])
  const ratio = median(pairs.map(([our, their]) => our / their))
  const rates = [0, 1].map((side) => Math.round(median(pairs.map((pair) => pair[side] as number))))
  return [`${what}, of a bare route`, `≥ ${target.toFixed(2)}`, `${ratio.toFixed(2)} (${rates.join(' and ')} a second)`]
}
