import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import type { Row } from '../lib/table.ts'
import { signUp } from './attacker.ts'
import { atMostRow } from './guesses.ts'

/** 100 streams of one session, each subscribing to the same channel 32 times, and heartbeats of 300 made-up tabs. */
export async function crowdLive(url: string, databaseUrl: string): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const { browser, slug } = await signUp(url, 'crowd@example.com')
  const identifier = JSON.stringify({ account: slug, channel: 'AccountChannel' })
  const path = `/live?s=${encodeURIComponent(JSON.stringify(Array(32).fill(identifier)))}`

  const streams: Stream[] = []
  for (let count = 0; count < 100; count++) streams.push(await open(url, path, browser.head.cookie))
  let refused = 0
  for (let tab = 0; tab < 300; tab++) {
    const body = { identifier, tab_id: `tab-${tab}`, state: {} }
    const { status } = await browser.send('POST', '/live/presence', { body })
    if (status === 429) refused++
  }
  const [rows] = await sql`select count(*)::int as count from presences where identifier like '%AccountChannel%'`
  await sleep(500) // everything sent has been read by then
  const alive = streams.filter(({ socket }) => !socket.closed)
  const subscriptions = Math.max(...alive.map(({ text }) => text().split('confirm_subscription').length - 1))
  for (const { socket } of streams) socket.destroy()
  await sql.end()
  return [
    atMostRow('open streams of one person, of 100', alive.length, 30),
    atMostRow('subscriptions of a stream that asks 32 times for the same', subscriptions, 1),
    atMostRow(`presence rows of one person, of 300 tabs, ${refused} of which were refused`, rows?.count ?? 0, 20),
  ]
}

type Stream = { socket: Socket; text(): string }

async function open(url: string, path: string, cookie: string): Promise<Stream> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket
    .setEncoding('utf8')
    .on('data', (piece) => (text += piece))
    .on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\ncookie: ${cookie}\r\n\r\n`)
  while (!text.includes('confirm_subscription')) await once(socket, 'data')
  return { socket, text: () => text }
}
