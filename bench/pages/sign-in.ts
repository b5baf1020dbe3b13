import { compare } from '../lib/load.ts'
import { type Row, ratioRow } from '../lib/table.ts'
import { fromManyAddresses, headerOf, type Person, visit } from '../lib/visitor.ts'

/** POST /sign_in of a browser that knows the user, compared with a route that verifies and inserts a session. */
export async function benchSignIn(application: string, ceiling: string, person: Person): Promise<Row[]> {
  const { cookies, csrf } = await visit(application)
  const body = JSON.stringify({ email: person.email, password: person.password })
  const json = { 'content-type': 'application/json' }
  const attempt = { method: 'POST', status: 302, connections: 8 } as const
  const ours = {
    ...attempt,
    url: `${application}/sign_in`,
    headers: { ...json, ...csrf, cookie: `${headerOf(cookies)}; ${deviceOf(person)}` },
    requests: [fromManyAddresses(() => body)],
  }
  const theirs = { ...attempt, url: `${ceiling}/sign_in`, headers: json, requests: [fromManyAddresses(() => body)] }
  return [ratioRow('POST /sign_in, of a bare route', await compare(ours, theirs), 0.9)]
}

const deviceOf = ({ cookie }: Person) => /device=[^;]+/.exec(cookie)?.[0]
