import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/**
 * A proxy to the database that counts round trips: how often something is sent after a response, on any connection.
 * Those of the relay are left out: nobody waits for it, and it sends the messages of whatever came before.
 */
export async function countRoundTrips(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  let roundTrips = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname)
    let isWaiting = false
    const isOfRelay = recognizing('pg_notify')
    client.on('data', (sent) => {
      const isCounted = !isOfRelay(sent)
      if (!isWaiting && isCounted) roundTrips++
      isWaiting = true
    })
    upstream.on('data', () => {
      isWaiting = false
    })
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy())
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

  return {
    url: url.href,
    /** The minimum of several runs, since the queue does its own work in between. */
    async of(work: () => Promise<unknown>) {
      const counts: number[] = []
      for (let time = 0; time < 16; time++) {
        const before = roundTrips
        await work()
        counts.push(roundTrips - before)
      }
      return Math.min(...counts)
    },
    stop: async () => void server.close(),
  }
}

/** Whether what a connection sends is a statement with this text, or runs one that it prepared before. */
function recognizing(text: string) {
  let name: string | undefined
  return (sent: Buffer) => {
    const all = sent.toString('latin1')
    if (!all.includes(text)) return name !== undefined && all.includes(`\0${name}\0`)
    name = /P....([^\0]+)\0/s.exec(all)?.[1] // a Parse message: its length, then the statement's name and text
    return true
  }
}
