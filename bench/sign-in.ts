import { compare } from './load.ts'
import { type Row, ratioRow } from './table.ts'
import { headerOf, type Person, visit } from './visitor.ts'

/** POST /sign_in. Each attempt comes from an address of its own, so that the rate limit counts all and stops none. */
export async function benchSignIn(application: string, ceiling: string, person: Person): Promise<Row[]> {
  const { cookies, csrf } = await visit(application)
  const body = JSON.stringify({ email: person.email, password: person.password })
  const json = { 'content-type': 'application/json' }
  let client = 0
  const fromAnotherAddress = (request: { headers?: Record<string, string> }) => {
    client++
    const address = `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`
    return { ...request, headers: { ...request.headers, 'x-forwarded-for': address } }
  }

  const attempt = { method: 'POST', body, status: 302, connections: 8 } as const
  const ours = {
    ...attempt,
    url: `${application}/sign_in`,
    headers: { ...json, ...csrf, cookie: headerOf(cookies) },
    requests: [{ setupRequest: fromAnotherAddress }],
  }
  const theirs = { ...attempt, url: `${ceiling}/sign_in`, headers: json }
  return [ratioRow('POST /sign_in, of a bare route', await compare(ours, theirs), 0.9)]
}
