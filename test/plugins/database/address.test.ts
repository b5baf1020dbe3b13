import { userInfo } from 'node:os'
import t from 'tap'
import { type Address, readAddress, UnreadableAddress } from '../../../plugins/database/index.ts'
import { authority, noCertificates } from '../../helpers/authority.ts'

const read = (text: string, given: { certificate?: string; pooled?: boolean } = {}) =>
  readAddress(text, { variable: 'DATABASE_URL', ...given })

function mistakeIn(text: string, given?: { certificate?: string }) {
  try {
    read(text, given)
    return undefined
  } catch (error) {
    if (error instanceof UnreadableAddress) return error.message
    throw error
  }
}

t.test('an address means what libpq reads in it', async (t) => {
  const plain: Address = {
    variable: 'DATABASE_URL',
    hosts: [{ host: 'db', port: 5432 }],
    path: undefined,
    user: 'app',
    password: 'p@ss/wörd#?',
    database: 'my app',
    tls: 'prefer',
    target: undefined,
    connectTimeout: undefined,
    parameters: {},
    pooled: false,
  }
  t.same(read('postgres://app:p%40ss%2Fw%C3%B6rd%23%3F@db/my%20app'), plain)
  t.match(read('postgresql://app@db:6432/app'), { hosts: [{ port: 6432 }], password: '', database: 'app' })
  t.match(read('postgres://'), { hosts: [{ host: 'localhost', port: 5432 }], user: userInfo().username })
  t.match(read('postgres://app@db'), { database: 'app' }, 'a database is named like its user')
  t.same(read('postgres://a:1,b,[::1]:3/app').hosts, [
    { host: 'a', port: 1 },
    { host: 'b', port: 5432 },
    { host: '::1', port: 3 },
  ])
  t.match(read('postgres:///app?host=/var/run/postgresql&user=app'), {
    hosts: [],
    path: '/var/run/postgresql/.s.PGSQL.5432',
    tls: false,
  })
  t.match(read('postgres://%2Fvar%2Frun:6432/app'), { path: '/var/run/.s.PGSQL.6432' })
  const options = 'application_name=a%20b&options=-c%20search_path%3Dx&connect_timeout=3&channel_binding=prefer'
  t.match(read(`postgres://db/app?${options}`), {
    parameters: { application_name: 'a b', options: '-c search_path=x' },
    connectTimeout: 3,
  })
  t.equal(read('postgres://db/app?target_session_attrs=read-write').target, 'read-write')
  t.equal(read('postgres://db/app?target_session_attrs=any').target, undefined)
})

t.test('an unreadable address is reported without its value', async (t) => {
  const mistakes = [
    'mysql://leak@db/app',
    'leak',
    'postgres://app:leak#leak@db/app',
    'postgres://app:12#leak@db/app',
    'postgres://app:%zz@db/app',
    'postgres://app:leak%@db/app',
    'postgres://app:le@ak@db/app',
    'postgres://app:le/ak@db/app',
    'postgres://app:1/leak@db/app',
    'postgres://app:1/leak@db',
    'postgres://app:1?leak@db/app',
    'postgres://app:le ak@db/app',
    'postgres://app:leak@db/app\n',
    'postgres://app:leak@db:99999/app',
    'postgres://app:leak@db:port/app',
    'postgres://app:leak@db/app?leak=1',
    'postgres://app:leak@db/app?sslmode',
    'postgres://app:leak@db/app?sslmode=leak',
    'postgres://app:leak@db/app?sslmode=no-verify',
    'postgres://app:leak@db/app?sslmode=disable&sslmode=require',
    'postgres://app:leak@db/app?sslmode=verify-full',
    'postgres://app:leak@db/app?sslmode=require&sslrootcert=system',
    'postgres://app:leak@db/app?sslmode=verify-ca&sslrootcert=/leak.crt',
    'postgres://app:leak@db/app?sslmode=require&sslcert=/leak.crt',
    'postgres://app:leak@db/app?target_session_attrs=leak',
    'postgres://app:leak@db/app?connect_timeout=leak',
    'postgres://app:leak@db/app?channel_binding=require',
    'postgres://app:leak@db/app?host=/leak,db',
  ]
  for (const text of mistakes) {
    const line = mistakeIn(text)
    t.match(line, /^(must|may|has|asks|with) [^\n]+$/, text)
    t.notMatch(line, /leak/)
  }
})

t.test('sslmode means what libpq means by it', { skip: noCertificates }, async (t) => {
  const tlsOf = (query: string, certificate?: string) =>
    read(`postgres://db/app?${query}`, certificate ? { certificate } : {}).tls
  const { certificate, path } = await authority(t)
  const ca = [certificate]

  t.equal(tlsOf('sslmode=disable'), false)
  t.equal(tlsOf(''), 'prefer')
  t.equal(tlsOf('sslmode=prefer'), 'prefer')
  t.same(tlsOf('sslmode=require'), { rejectUnauthorized: false })
  t.same(tlsOf(`sslmode=verify-full&sslrootcert=${path}`), { ca })
  t.match(tlsOf(`sslmode=verify-ca&sslrootcert=${path}`), { ca, checkServerIdentity: Function })
  t.match(tlsOf(`sslmode=require&sslrootcert=${path}`), { ca, checkServerIdentity: Function }, 'as libpq does')
  t.ok((tlsOf('sslrootcert=system') as { ca: string[] }).ca.length > 10)

  t.same(tlsOf('', certificate), { ca }, 'a certificate alone asks for everything')
  t.equal(tlsOf('sslmode=disable', certificate), false, 'unless the address says otherwise')
  t.match(tlsOf('sslmode=verify-ca', certificate), { ca, checkServerIdentity: Function })
})
