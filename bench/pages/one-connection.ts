import { once } from 'node:events'
import { connect } from 'node:net'
import { median } from '../lib/load.ts'
import { type Row, ratioRow } from '../lib/table.ts'
import type { Person } from '../lib/visitor.ts'

const rounds = 40
const requests = 100

/**
 * GET /{slug} over a single connection, one request after another, beside a bare route that runs the same prepared
 * statement. Nothing shares a turn of the event loop here, so it shows what waits for company that never comes. Short
 * bursts in turn, and of each its median, since other work on the machine would otherwise decide.
 */
export async function benchOneConnection(application: string, ceiling: string, person: Person): Promise<Row[]> {
  const ours = await openConnection(`${application}/${person.slug}`, { cookie: person.cookie, accept: 'text/html' })
  const signed = await fetch(`${ceiling}/cookie?token=${person.token}`)
  const cookie = signed.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const page = await fetch(`${application}/${person.slug}`, { headers: { cookie: person.cookie, accept: 'text/html' } })
  const bytes = Buffer.byteLength(await page.text())
  const theirs = await openConnection(`${ceiling}/member/${person.slug}/${bytes}?type=html`, { cookie })

  for (let time = 0; time < 20; time++) await inTurn(ours, theirs)
  const pairs: { ours: number; theirs: number }[] = []
  for (let round = 0; round < rounds; round++) pairs.push(await inTurn(ours, theirs, round % 2 === 0))
  ours.end()
  theirs.end()
  const comparison = {
    ratio: median(pairs.map(({ ours, theirs }) => theirs / ours)),
    ours: 1000 / median(pairs.map(({ ours }) => ours)),
    theirs: 1000 / median(pairs.map(({ theirs }) => theirs)),
  }
  return [ratioRow('GET /{slug} over one connection, of a bare route', comparison, 0.85)]
}

type Connection = Awaited<ReturnType<typeof openConnection>>

async function inTurn(ours: Connection, theirs: Connection, oursFirst = true) {
  if (oursFirst) return { ours: await burst(ours), theirs: await burst(theirs) }
  const other = await burst(theirs)
  return { ours: await burst(ours), theirs: other }
}

async function burst({ send }: Connection) {
  const took: number[] = []
  for (let request = 0; request < requests; request++) took.push(await send())
  return median(took)
}

/** A bare socket: a client of Node takes as long as a small page, which would hide half of the difference. */
async function openConnection(url: string, headers: Record<string, string>) {
  const { host, hostname, port, pathname, search } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')

  let waiting = Promise.withResolvers<number>()
  let start = 0
  let left = Number.NaN // bytes of the response; unknown until its headers are there
  socket.on('data', (piece) => {
    if (Number.isNaN(left)) left = lengthOf(url, piece)
    left -= piece.length
    if (left > 0) return
    left = Number.NaN
    waiting.resolve(performance.now() - start)
  })
  socket.once('error', (error) => waiting.reject(error))
  return {
    send() {
      waiting = Promise.withResolvers()
      start = performance.now()
      socket.write(request)
      return waiting.promise
    },
    end: () => void socket.destroy(),
  }
}

/** Of the whole response, headers included. They come in one piece. */
function lengthOf(url: string, piece: Buffer) {
  const end = piece.indexOf('\r\n\r\n') + 4
  const head = piece.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]
  if (!head.startsWith('HTTP/1.1 200') || length === undefined) throw new Error(`${url} answered ${head}`)
  return end + Number(length)
}
