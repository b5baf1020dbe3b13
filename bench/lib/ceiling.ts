import { randomBytes } from 'node:crypto'
import cookie from '@fastify/cookie'
import { hash, verify } from '@node-rs/argon2'
import { fillPlaceholders } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import Fastify from 'fastify'
import postgres from 'postgres'
import { memberFinder } from '../../features/accounts/finders.ts'
import { sessionPolicy } from '../../plugins/security/session-policy.ts'
import { bareSecret } from './bare-secret.ts'

// The minimum that does the same work, without layers, security headers or logging. Anything beyond is the
// application's overhead.

const sql = postgres(process.env.DATABASE_URL ?? '', { max: 10, fetch_types: false })
const app = Fastify()
await app.register(cookie, { secret: bareSecret })

app.get('/up', () => 'up')

/** Sets a signed session cookie for a token. */
app.get<{ Querystring: { token: string } }>('/cookie', (request, reply) =>
  reply.setCookie('session_token', request.query.token, { signed: true }).send(),
)

// Responses have the same length as those of the application.
const bodies = new Map<string, string>()
const bodyOf = (bytes: string) => {
  const body = bodies.get(bytes) ?? 'x'.repeat(Number(bytes))
  bodies.set(bytes, body)
  return body
}
type Asked = { Params: { bytes: string; slug: string }; Querystring: { type: 'html' | 'json' } }
const types = { html: 'text/html; charset=utf-8', json: 'application/json; charset=utf-8' }

app.get<Asked>('/account/:slug/:bytes', async (request, reply) => {
  const { valid, value: token } = request.unsignCookie(request.cookies.session_token ?? '')
  if (!valid) return reply.code(401).send()
  const { slug, bytes } = request.params
  const [row] = await sql`
    select sessions.*, users.*, memberships.role, accounts.name, accounts.slug
    from sessions
    join users on users.id = sessions.user_id
    join memberships on memberships.user_id = users.id
    join accounts on accounts.id = memberships.account_id
    where sessions.token = ${token} and accounts.slug = ${slug}`
  if (!row) return reply.code(404).send()
  return reply.type(types[request.query.type]).send(bodyOf(bytes))
})

// The application's own statement, prepared, on a plain client.
const policy = sessionPolicy({ idleMs: undefined, maxMs: undefined }, () => new Date())
const findMember = memberFinder(drizzle({ client: postgres(), casing: 'snake_case' }), policy, {
  withLists: true,
}).getQuery()
app.get<Asked>('/member/:slug/:bytes', async (request, reply) => {
  const { valid, value: token } = request.unsignCookie(request.cookies.session_token ?? '')
  if (!valid) return reply.code(401).send()
  const { slug, bytes } = request.params
  const parameters = fillPlaceholders(findMember.params, { slug, token, at: new Date().toISOString() }) as string[]
  const [row] = await sql.unsafe(findMember.sql, parameters, { prepare: true }).values()
  if (!row) return reply.code(404).send()
  return reply.type(types[request.query.type]).send(bodyOf(bytes))
})

app.get<Asked>('/page/:bytes', (request, reply) => reply.type(types.html).send(bodyOf(request.params.bytes)))

const text = { type: 'string' }
const beat = { type: 'object', required: ['identifier', 'tab_id'], properties: { identifier: text, tab_id: text } }
app.post('/beat', { schema: { body: beat } }, (request, reply) => {
  const { valid } = request.unsignCookie(request.cookies.session_token ?? '')
  return reply.code(valid ? 204 : 401).send()
})

app.post<{ Body: { email: string; password: string } }>('/sign_in', async (request, reply) => {
  const { email, password } = request.body
  const [user] = await sql`select * from users where email = ${email}`
  if (!(await verify(user?.password_digest, password))) return reply.code(401).send()
  const token = randomBytes(32).toString('base64url')
  await sql`insert into sessions (token, user_id, user_agent, ip_address) values (${token}, ${user?.id}, '', '')`
  return reply.setCookie('session_token', token, { signed: true }).redirect('/')
})

app.post<{ Body: { name: string; email: string; password: string } }>('/sign_up', async (request, reply) => {
  const { name, email, password } = request.body
  const digest = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const token = randomBytes(32).toString('base64url')
  await sql`
    with account as (
      insert into accounts (name, slug, personal) values (${name}, ${token}, true) returning id
    ), person as (
      insert into users (name, email, password_digest, last_account_id)
      select ${name}, ${`bare-${email}`}, ${digest}, id from account returning id
    ), membership as (
      insert into memberships (account_id, user_id, role) select account.id, person.id, 'owner' from account, person
    )
    insert into sessions (token, user_id, user_agent, ip_address) select ${token}, id, '', '' from person`
  return reply.setCookie('session_token', token, { signed: true }).redirect('/')
})

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.once('SIGTERM', async () => {
  await app.close()
  await sql.end()
})
