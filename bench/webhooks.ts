import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import type { Owner } from '../test/helpers/owner.ts'
import { startReceiver } from '../test/helpers/receiver.ts'
import { type Person, signUp } from '../test/helpers/visitor.ts'
import { median, type Row } from './load.ts'
import { startServer } from './server.ts'

export const webhookSettings = { WEBHOOK_PRIVATE_TARGETS: 'allow' }

const workspaces = 10
const silentWorkspaces = 60
const writesInRound = 300
const rounds = 6

/**
 * What webhooks cost those who write, how many are sent, and how long others wait for a receiver that never answers.
 */
export async function benchWebhooks(owner: Owner, databaseUrl: string): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice() {} })
  owner.teardown(() => sql.end())
  const receiver = await startReceiver(owner)
  const server = await startServer(owner, databaseUrl, webhookSettings)
  const unlimited = setInterval(() => sql`delete from rate_limits`.catch(() => {}), 50)
  owner.teardown(() => clearInterval(unlimited))
  const people: Person[] = []
  for (let n = 0; n <= workspaces + silentWorkspaces; n++)
    people.push(await signUp(server.url, `webhooks-${n}@example.com`, `10.9.0.${n}`))
  const [busy, ...more] = people as [Person, ...Person[]]
  const others = more.splice(0, workspaces)
  const add = (person: Person, path: string) => addWebhook(server.url, sql, person, receiver.url + path)
  for (const person of others) await add(person, `/${person.slug}`)
  for (const person of [...Array(10).fill(busy), ...more]) await add(person, '/silent')

  const silent: ServerResponse[] = []
  receiver.answers.set('/silent', (response) => silent.push(response))

  const rename = (person: Person, name: string) =>
    change(server.url, person, 'PATCH', `/${person.slug}/settings`, { name })

  /** Of ten enabled webhooks, of which all places are taken, beside ten that are disabled. */
  async function cpuOfWrites(isEnabled: boolean) {
    await sql`update webhooks set disabled_at = ${isEnabled ? null : new Date()} where url like ${'%/silent'}`
    await sql`delete from webhook_deliveries where claim is null` // or those that wait would fail meanwhile
    const before = await cpuSeconds(server.pid, sql)
    await Promise.all(
      Array.from({ length: 4 }, async (_, at) => {
        for (let n = 0; n < writesInRound / 4; n++) await rename(busy, `Acme ${at} ${n}`)
      }),
    )
    return (await cpuSeconds(server.pid, sql)) - before
  }
  await cpuOfWrites(true)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) ratios.push((await cpuOfWrites(true)) / (await cpuOfWrites(false)))

  const waits: number[] = []
  await sql`update webhooks set disabled_at = null`
  await sql`
    insert into webhook_deliveries (webhook_id, account_id, type, created_at, due_at)
    select id, account_id, 'account_renamed', now(), now() from webhooks, generate_series(1, 5)
    where url like ${'%/silent'}`
  for (let n = 0; n < 20; n++) {
    await rename(busy, `Busy ${n}`)
    for (const person of others) {
      const path = `/${person.slug}`
      const count = receiver.at(path).length
      const begun = Date.now()
      await rename(person, `Calm ${n}`)
      const arrived = (await receiver.until(path, count + 1)).at(-1)
      waits.push((arrived?.at ?? Date.now()) - begun)
    }
  }
  const late = waits.toSorted((one, other) => one - other)[Math.floor(waits.length * 0.95)] as number

  receiver.answers.delete('/silent')
  for (const response of silent) response.destroy()
  await sql`delete from webhook_deliveries`
  const sent = 4_000
  const total = receiver.received.length
  await sql`
    insert into webhook_deliveries (webhook_id, account_id, type, created_at, due_at)
    select id, account_id, 'test', now(), now() from webhooks, generate_series(1, ${sent / workspaces})
    where url not like ${'%/silent'}`
  const begun = performance.now()
  while (receiver.received.length < total + sent) await sleep(5)
  const rate = (sent * 1000) / (performance.now() - begun)

  const dearer = `${((median(ratios) - 1) * 100).toFixed(0)} %`
  return [
    ['processor of a write that ten webhooks want, beside none', '≤ 10 % more', dearer],
    ['webhooks sent by one process', '≥ 200 a second', `${Math.round(rate)} a second`],
    ['webhook of another workspace beside 60 with silent receivers, 95th percentile', '≤ 1000 ms', `${late} ms`],
  ]
}

/** Also verifies the address of the person, who could add none without. */
export async function addWebhook(origin: string, sql: postgres.Sql, person: Person, url: string) {
  await sql`update users set verified = true, verified_at = now() where email = ${person.email}`
  const body = { url, types: ['account_renamed'], password_challenge: person.password }
  await change(origin, person, 'POST', `/${person.slug}/webhooks`, body)
}

async function change(origin: string, { cookie }: Person, method: string, path: string, body: object) {
  const csrf = { 'x-xsrf-token': /XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] ?? '' }
  const headers = { cookie, ...csrf, 'content-type': 'application/json', accept: 'application/json' }
  const { status } = await fetch(origin + path, { method, redirect: 'manual', headers, body: JSON.stringify(body) })
  if (status !== 302) throw new Error(`${method} ${path} answered ${status}`)
}

/** Of the application, and of the database on its behalf. */
async function cpuSeconds(pid: number, sql: postgres.Sql) {
  const backends = await sql`select pid from pg_stat_activity where application_name like 'accounts%'`
  const ticks = await Promise.all([pid, ...backends.map((backend) => backend.pid)].map(ticksOf))
  return ticks.reduce((sum, each) => sum + each, 0) / 100
}

async function ticksOf(pid: number) {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).replace(/^.*\) /, '').split(' ')
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}
