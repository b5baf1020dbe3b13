import fc from 'fast-check'
import type { Route } from './routes.ts'

/** A single request. `who` is the index of the sender. */
export type Sent = {
  route: Route
  who: number
  parameters: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  headers: Record<string, string | undefined>
}

const odd: unknown[] = [null, true, 0, -1, 1e21, '', ' ', '\0', '\ud800', '\u202e', '%00', '__proto__', [], ['a'], {}]
const strange = fc.oneof(
  fc.constantFrom(...odd),
  // Not by `fc.string`, which makes a list of all characters first: that takes seconds.
  fc.array(fc.nat(0x10ffff), { maxLength: 40 }).map((points) => String.fromCodePoint(...points)),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constant('x'.repeat(70_000)),
)

/** Meaningful values by field, so requests get past the first checks. */
export type Known = Record<string, string[]>

const origins = ['http://localhost:3000', 'https://evil.example', '%']
const headerValues = {
  accept: ['text/html', 'application/json', '*/*', 'text/html;q=0.1, application/json', ',;q=x'],
  'x-inertia': ['true', 'false', ''],
  'x-inertia-version': ['', 'old'],
  'x-inertia-partial-component': ['accounts/members', 'settings/sessions', 'x'],
  'x-inertia-partial-data': ['members', 'auth.user', 'accounts,errors', '__proto__', ',,', 'a.b.c.d'],
  'x-inertia-partial-except': ['members', 'errors', 'auth', '*'],
  'x-inertia-except-once-props': ['accounts', '', ','],
  'x-inertia-reset': ['members', 'x'],
  'x-inertia-error-bag': ['bag', '__proto__', ''],
  'x-inertia-infinite-scroll-merge-intent': ['prepend', 'append', 'x'],
  precognition: ['true', 'false'],
  'precognition-validate-only': ['', 'email,name', '__proto__', ',,,'],
  purpose: ['prefetch'],
  referer: [...origins, 'http://localhost:3000/sign_in', 'http://localhost:3000//evil.example'],
  origin: [...origins, 'null'],
  'x-forwarded-for': ['::1', 'nobody', '1.2.3.4, 5.6.7.8', '', '1.2.3.4:80'],
  'x-forwarded-proto': ['https', 'http', 'gopher'],
  'x-tab-id': ['tab-1', 'not a tab', ''],
  'x-request-id': ['id-1', 'x'.repeat(200), 'a b'],
  'content-type': ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', ''],
  'user-agent': ['', 'curl/8', 'Mozilla/5.0 (compatible; MSIE 10.0)', '(((((((('],
  'if-none-match': ['*'],
  range: ['bytes=0-1', 'bytes=9-1', 'x'],
}
const header = fc.record(
  Object.fromEntries(Object.entries(headerValues).map(([name, values]) => [name, fc.constantFrom(...values)])),
  { requiredKeys: [] },
)

/** Requests to all routes, some valid and some random. */
export function requests(routes: Route[], known: Known, people: number): fc.Arbitrary<Sent> {
  const everything = Object.values(known).flat()
  const any = fc.constantFrom(...everything)
  const knownFor = (name: string) => (known[name] ? fc.constantFrom(...known[name]) : any)
  const valueFor = (name: string) =>
    fc.oneof({ weight: 6, arbitrary: knownFor(name) }, { weight: 1, arbitrary: any }, { weight: 2, arbitrary: strange })
  const record = (names: string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, valueFor(name)])), { requiredKeys: [] })
  const parameter = (name: string) =>
    fc.oneof(
      { weight: 9, arbitrary: knownFor(name) },
      fc.constantFrom('0', '-1', '9'.repeat(15), '%00', '%', '..', 'é'),
    )
  const someHeaders = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: header })

  return fc.constantFrom(...routes).chain((route) =>
    fc.record({
      route: fc.constant(route),
      who: fc.nat(people - 1),
      parameters: fc.record({ slug: parameter('slug'), id: parameter('id'), token: parameter('token') }),
      query: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, record([...route.queried, 'sid', 'invitation', 'x'])),
      body: fc.oneof({ weight: 6, arbitrary: record(route.fields) }, { weight: 1, arbitrary: strange }),
      headers: someHeaders,
    }),
  )
}
