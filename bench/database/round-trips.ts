import postgres from 'postgres'
import { startApplication } from '../lib/processes.ts'
import { countRow, type Row } from '../lib/table.ts'
import { headerOf, type Person, signUp, visit } from '../lib/visitor.ts'
import { countRoundTrips } from './count-round-trips.ts'

/** The cost of recording a change: the database round trips of such requests. */
export async function benchRoundTrips(databaseUrl: string): Promise<Row[]> {
  const counting = await countRoundTrips(databaseUrl)
  const application = await startApplication(counting.url)
  try {
    const [owner, member] = [
      await signUp(application.url, 'owner@trips.example'),
      await signUp(application.url, 'member@trips.example'),
    ]
    const sql = postgres(databaseUrl, { max: 1 })
    const [joined] = await sql`
      insert into memberships (account_id, user_id, role)
      select a.id, u.id, 'member' from accounts a, users u
      where a.slug = ${owner.slug} and u.email = ${member.email} returning id`
    await sql.end()

    let count = 0
    const { cookies, csrf } = await visit(application.url)
    const json = { 'content-type': 'application/json' }
    const signIn = () => {
      const headers = { ...json, ...csrf, cookie: headerOf(cookies), 'x-forwarded-for': `10.9.0.${++count}` }
      return send(`${application.url}/sign_in`, 'POST', headers, { email: owner.email, password: owner.password })
    }
    const change = (path: string, body: object) =>
      send(`${application.url}/${owner.slug}/${path}`, 'PATCH', { ...json, ...headersOf(owner) }, body)
    const rename = () => change('settings', { name: `Name ${++count}` })
    const changeRole = () => change(`members/${joined?.id}`, { role: ++count % 2 ? 'admin' : 'member' })

    return [
      countRow('POST /sign_in, round trips to the database', await counting.of(signIn), 3),
      countRow('PATCH /{slug}/settings, round trips', await counting.of(rename), 7),
      countRow('PATCH /{slug}/members/{id}, round trips', await counting.of(changeRole), 7),
    ]
  } finally {
    await application.stop()
    await counting.stop()
  }
}

const headersOf = ({ cookie }: Person) => ({ cookie, 'x-xsrf-token': /XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] ?? '' })

async function send(url: string, method: string, headers: Record<string, string>, body: object) {
  const response = await fetch(url, { method, headers, redirect: 'manual', body: JSON.stringify(body) })
  if (response.status !== 302) throw new Error(`${method} ${url} answered ${response.status}`)
}
