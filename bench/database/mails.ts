import postgres from 'postgres'
import { readAddress } from '../../plugins/database/index.ts'
import { connectQueues } from '../../plugins/queues/queues.ts'
import { mails as queue } from '../../plugins/queues/settings.ts'
import { start } from '../lib/children.ts'
import { median } from '../lib/load.ts'
import { startApplication } from '../lib/processes.ts'
import { limitRow, type Row, rateRow } from '../lib/table.ts'
import { signUp } from '../lib/visitor.ts'

const mails = 1000
const rounds = 3
const seconds = 3

/** How fast queued mails reach the mail server, and how much that slows down requests. */
export async function benchMails(databaseUrl: string): Promise<Row[]> {
  const sink = start('lib/smtp-sink.ts')
  const { port } = await sink.answer()
  const mailer = { MAILER_HOST: '127.0.0.1', MAILER_PORT: String(port) }
  const application = await startApplication(databaseUrl, mailer)
  const visitors = start('lib/visits.ts')
  const address = readAddress(databaseUrl, { variable: 'DATABASE_URL' })
  const { boss, close } = await connectQueues(address, { onError: console.error })
  try {
    const person = await signUp(application.url, 'mails@example.com')
    const users = await seed(databaseUrl)
    const visits = { url: `${application.url}/${person.slug}`, cookie: person.cookie, connections: 4, seconds }
    const sendAll = async () => {
      sink.send({ expect: mails })
      const queuedAt = Date.now()
      const [{ at }] = await Promise.all([
        sink.answer(),
        boss.insert(
          queue,
          users.map((userId) => ({ data: { mail: 'email_verification', userId } })),
        ),
      ])
      return mails / ((at - queuedAt) / 1000)
    }

    await visitors.request(visits)
    await sendAll()
    const rates: number[] = []
    const slower: number[] = []
    for (let round = 0; round < rounds; round++) {
      rates.push(await sendAll())
      const quiet = await visitors.request(visits)
      const [busy] = await Promise.all([visitors.request(visits), sendAll()])
      slower.push(busy.p99 / quiet.p99)
    }
    return [
      rateRow('queued mails to a local mail server', median(rates), 150),
      limitRow('p99 of GET /{slug} meanwhile, of that without mails', median(slower), {
        unit: '×',
        target: 2,
        digits: 2,
      }),
    ]
  } finally {
    await close()
    await visitors.stop()
    await application.stop()
    await sink.stop()
  }
}

/** Creates people with unverified addresses and returns their ids. */
async function seed(databaseUrl: string) {
  const sql = postgres(databaseUrl, { max: 1 })
  const rows = await sql<{ id: string }[]>`
    insert into users (name, email, password_digest)
    select 'Reader ' || n, n || '@mails.example', '' from generate_series(1, ${mails}::int) n returning id`
  await sql.end()
  return rows.map(({ id }) => Number(id))
}
