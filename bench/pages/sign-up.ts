import { compare } from '../lib/load.ts'
import { type Row, ratioRow } from '../lib/table.ts'
import { fromManyAddresses, headerOf, visit } from '../lib/visitor.ts'

/** POST /sign_up including the mail, compared with a route that hashes and inserts all rows in a single statement. */
export async function benchSignUp(application: string, ceiling: string): Promise<Row[]> {
  const { cookies, csrf } = await visit(application)
  const json = { 'content-type': 'application/json' }
  let people = 0
  const somebody = () => {
    people++
    const name = `Person ${people}`
    const password = 'correct horse battery staple'
    return JSON.stringify({ name, email: `${people}@example.net`, password, password_confirmation: password })
  }

  const sent = { method: 'POST', status: 302, connections: 8 } as const
  const ours = {
    ...sent,
    url: `${application}/sign_up`,
    headers: { ...json, ...csrf, cookie: headerOf(cookies) },
    requests: [fromManyAddresses(somebody)],
  }
  const theirs = {
    ...sent,
    url: `${ceiling}/sign_up`,
    headers: json,
    requests: [fromManyAddresses(somebody)],
  }
  return [ratioRow('POST /sign_up, of a bare route', await compare(ours, theirs), 0.85)]
}
