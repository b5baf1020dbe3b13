import { on } from 'node:events'
import { connect as openSocket, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sign } from '@fastify/cookie'
import { sql } from 'drizzle-orm'
import { membersChannel } from '../features/accounts/channel.ts'
import { paths } from '../features/paths.ts'
import { connect, type Database } from '../plugins/database/index.ts'
import { broadcast } from '../plugins/live/broadcast.ts'
import { keyRing } from '../plugins/security/keys.ts'
import { addressOf } from '../test/helpers/address.ts'
import type { Owner } from '../test/helpers/owner.ts'
import { median, type Row } from './load.ts'
import { residentMemory, secretKeyBase, startServer } from './server.ts'

const people = 1000
const rounds = 11
const slug = 'everybody'

/** A stream for each of 1,000 members of a workspace. */
export async function benchStreams(owner: Owner, databaseUrl: string): Promise<Row[]> {
  const { url, pid } = await startServer(owner, databaseUrl)
  const db = connect(addressOf(databaseUrl), 2)
  owner.teardown(() => db.close())
  const id = await seed(db)
  await sleep(3000)
  const before = await residentMemory(pid)
  const sockets: Socket[] = []
  for (let person = 0; person < people; person++) sockets.push(await openStream(owner, url, person))
  await sleep(5000)
  const memory = (await residentMemory(pid)) - before

  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const heard = sockets.map((socket) => hears(socket, '"message"'))
    const start = performance.now()
    await db.transaction((tx) => broadcast(tx, membersChannel, id, { type: 'members' }))
    await Promise.all(heard)
    times.push(performance.now() - start)
  }
  return [
    [`memory of each of ${people} streams`, '–', `${(memory / people / 1000).toFixed(1)} kB`],
    [`a change until all of ${people} streams have it`, '–', `${Math.round(median(times))} ms`],
  ]
}

/** Inserts people and sessions directly: signing up would take minutes. */
async function seed(db: Database) {
  const { rows } = await db.execute<{ id: string }>(sql`
    with person as (
      insert into users (name, email) select 'Person', 'person-' || n || '@example.com'
      from generate_series(0, ${people - 1}::int) n returning id, substring(email from '[0-9]+') as n
    ), account as (
      insert into accounts (name, slug) values (${slug}, ${slug}) returning id
    ), session as (
      insert into sessions (token, user_id, user_agent, ip_address) select 'session-' || n, id, '', '' from person
    ), membership as (
      insert into memberships (account_id, user_id, role) select account.id, person.id, 'member' from account, person
    ) select id from account`)
  await db.execute(sql`analyze`)
  return Number(rows[0]?.id)
}

async function openStream(owner: Owner, url: string, person: number) {
  const secret = keyRing(secretKeyBase)('cookies')[0].export().toString('base64')
  const cookie = encodeURIComponent(sign(`session_token=session-${person}`, secret)).replace('%3D', '=')
  const { url: path } = paths.live([JSON.stringify({ account: slug, channel: membersChannel.name })])
  const socket = openSocket(Number(new URL(url).port), '127.0.0.1')
  owner.teardown(() => socket.destroy())
  const confirmed = hears(socket, 'confirm_subscription')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\ncookie: ${cookie}\r\n\r\n`)
  await confirmed
  return socket
}

/** Frames are short, so they arrive in one piece. */
async function hears(socket: Socket, text: string) {
  for await (const [piece] of on(socket, 'data')) if (piece.includes(text)) return
}
