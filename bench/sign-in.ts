import { compare } from './load.ts'
import { type Row, ratioRow } from './table.ts'
import { fromManyAddresses, headerOf, type Person, visit } from './visitor.ts'

export async function benchSignIn(application: string, ceiling: string, person: Person): Promise<Row[]> {
  const { cookies, csrf } = await visit(application)
  const body = JSON.stringify({ email: person.email, password: person.password })
  const json = { 'content-type': 'application/json' }
  const attempt = { method: 'POST', status: 302, connections: 8 } as const
  const ours = {
    ...attempt,
    url: `${application}/sign_in`,
    headers: { ...json, ...csrf, cookie: headerOf(cookies) },
    requests: [fromManyAddresses(() => body)],
  }
  const theirs = { ...attempt, url: `${ceiling}/sign_in`, headers: json, requests: [fromManyAddresses(() => body)] }
  return [ratioRow('POST /sign_in, of a bare route', await compare(ours, theirs), 0.9)]
}
