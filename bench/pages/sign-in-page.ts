import { compare } from '../lib/load.ts'
import { queriesOf } from '../lib/queries.ts'
import { countRow, type Row, ratioRow } from '../lib/table.ts'
import { headerOf, visit } from '../lib/visitor.ts'

/** GET /sign_in of a returning guest. */
export async function benchSignInPage(application: string, ceiling: string): Promise<Row[]> {
  const { cookies } = await visit(application)
  const ours = {
    url: `${application}/sign_in`,
    headers: { cookie: headerOf(cookies), accept: 'text/html' },
    status: 200,
  }
  const response = await fetch(ours.url, { headers: ours.headers })
  const theirs = { url: `${ceiling}/page/${Buffer.byteLength(await response.text())}`, status: 200 }

  return [
    ratioRow('GET /sign_in of a guest, HTML, of a bare route', await compare(ours, theirs), 0.5, 0.6),
    countRow('GET /sign_in of a guest, queries', queriesOf(response), 0),
  ]
}
