import { compare } from '../lib/load.ts'
import { queriesOf } from '../lib/queries.ts'
import { countRow, type Row, ratioRow } from '../lib/table.ts'
import type { Person } from '../lib/visitor.ts'

/** GET /{slug} of a member, as an Inertia visit and as a full document. */
export async function benchAccountPages(application: string, ceiling: string, person: Person): Promise<Row[]> {
  const url = `${application}/${person.slug}`
  const html = { cookie: person.cookie, accept: 'text/html' }
  const document = await fetch(url, { headers: html })
  const page = await document.text()
  const version = /"version":"([^"]+)"/.exec(page)?.[1] ?? ''
  const protocol = { ...html, 'x-inertia': 'true', 'x-inertia-version': version, 'x-requested-with': 'XMLHttpRequest' }
  const visit = await fetch(url, { headers: protocol })
  const object = await visit.text()

  const signed = await fetch(`${ceiling}/cookie?token=${person.token}`)
  const cookie = signed.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const bare = (type: 'html' | 'json', body: string) => ({
    url: `${ceiling}/account/${person.slug}/${Buffer.byteLength(body)}?type=${type}`,
    headers: { cookie },
    status: 200,
  })

  return [
    ratioRow(
      'GET /{slug}, protocol visit, of a bare route',
      await compare({ url, headers: protocol, status: 200 }, bare('json', object)),
      0.6,
      0.8,
    ),
    ratioRow(
      'GET /{slug}, HTML, of a bare route',
      await compare({ url, headers: html, status: 200 }, bare('html', page)),
      0.55,
      0.7,
    ),
    countRow('GET /{slug}, protocol visit, queries', queriesOf(visit), 1),
    countRow('GET /{slug}, HTML, queries', queriesOf(document), 1),
  ]
}
