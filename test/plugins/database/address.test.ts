import t from 'tap'
import { readAddress, UnreadableAddress } from '../../../plugins/database/index.ts'
import { authority, noCertificates } from '../../helpers/authority.ts'

const read = (text: string, given: { certificate?: string; pooled?: boolean } = {}) =>
  readAddress(text, { variable: 'DATABASE_URL', ...given })

t.test('an address means what libpq reads in it', async (t) => {
  t.match(read('postgres://app:p%40ss%2Fw%C3%B6rd%23%3F@db/my%20app'), {
    host: 'db',
    port: 5432,
    user: 'app',
    password: 'p@ss/wörd#?',
    database: 'my app',
    ssl: false,
    pooled: false,
  })
  t.match(read('postgresql://app@db:6432/app'), { host: 'db', port: 6432, database: 'app' })
  t.match(read('postgres://'), { host: 'localhost', port: 5432 })
  t.match(read('postgres://app@db'), { database: 'app' }, 'a database is named like its user')
  t.match(read('postgres://app@[::1]:3/app'), { host: '::1', port: 3 })
  const socket = { host: '/var/run/postgresql', user: 'me', database: 'app' }
  t.match(read('postgres:///app?host=/var/run/postgresql&user=me'), socket)
  const options = { applicationName: 'a b', options: '-c search_path=x', connectSeconds: 3 }
  t.match(read('postgres://db/app?application_name=a%20b&options=-c%20search_path%3Dx&connect_timeout=3'), options)
})

t.test('an unreadable address is reported without its value', async (t) => {
  for (const address of [
    ...['mysql://leak@db/app', 'leak', 'postgres://app:leak#leak@db/app', 'postgres://app:%zz@db/app'],
    ...['postgres://app:1?leak@db/app', 'postgres://app:le ak@db/app', 'postgres://app:leak@db/app\n'],
    ...['db:99999/app', 'db:port/app', 'db,leak/app', 'db:1,leak:2/app'].map((rest) => `postgres://app:leak@${rest}`),
    ...['leak=1', 'host=/leak,db', 'target_session_attrs=read-write', 'connect_timeout=leak'].map(withOption),
    ...['leak', 'no-verify', 'disable&sslmode=require', 'verify-full', 'require&sslrootcert=system'].map(withMode),
    ...['verify-ca&sslrootcert=/leak.crt', 'require&sslcert=/leak.crt'].map(withMode),
    withOption('sslrootcert=/leak.crt'),
  ]) {
    const expected = { constructor: UnreadableAddress, message: /^(must|may|has|asks|with) ((?!leak)[^\n])+$/ }
    t.throws(() => read(address), expected, address)
  }
})

const withOption = (option: string) => `postgres://app:leak@db/app?${option}`
const withMode = (mode: string) => withOption(`sslmode=${mode}`)

t.test('sslmode means what libpq means by it, and `prefer` is `disable`', { skip: noCertificates }, async (t) => {
  const sslOf = (query: string, certificate?: string) =>
    read(`postgres://db/app?${query}`, certificate ? { certificate } : {}).ssl
  const { certificate, path } = await authority(t)
  const ca = [certificate]

  for (const query of ['', 'sslmode=disable', 'sslmode=prefer']) t.equal(sslOf(query), false)
  t.same(sslOf('sslmode=require'), { rejectUnauthorized: false })
  t.same(sslOf(`sslmode=verify-full&sslrootcert=${path}`), { ca })
  t.match(sslOf(`sslmode=verify-ca&sslrootcert=${path}`), { ca, checkServerIdentity: Function })
  t.ok((sslOf('sslrootcert=system') as { ca: string[] }).ca.length > 10)

  t.same(sslOf(`sslrootcert=${path}`), { ca }, 'an authority alone asks for everything')
  t.same(sslOf('', certificate), { ca }, 'here, too')
  t.equal(sslOf('sslmode=disable', certificate), false, 'unless the address says otherwise')
  t.match(sslOf('sslmode=verify-ca', certificate), { ca, checkServerIdentity: Function })
})
