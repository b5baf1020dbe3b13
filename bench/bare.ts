import { randomBytes } from 'node:crypto'
import cookie from '@fastify/cookie'
import { verify } from '@node-rs/argon2'
import Fastify from 'fastify'
import pg from 'pg'

// The least that does the same work, without layers, headers or a log. What is beyond it is the application's own cost.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = Fastify()
await app.register(cookie, { secret: 'a secret' })

const all = 'x'.repeat(2 ** 20)
const bodyOf = (bytes: string) => all.slice(0, Number(bytes))

const types = { html: 'text/html; charset=utf-8', json: 'application/json; charset=utf-8' }
type Asked = { Params: { type: keyof typeof types; bytes: string; slug: string } }

app.get('/up', () => 'up')

app.get<Asked>('/:type/:bytes', ({ params: { type, bytes } }, reply) => reply.type(types[type]).send(bodyOf(bytes)))

const member = `
  select sessions.*, users.*, memberships.role, accounts.name, accounts.slug
  from sessions
  join users on users.id = sessions.user_id
  join memberships on memberships.user_id = users.id
  join accounts on accounts.id = memberships.account_id
  where sessions.token = $1 and accounts.slug = $2`
app.get<Asked>('/:type/:bytes/:slug', async (request, reply) => {
  const { type, bytes, slug } = request.params
  const { valid, value: token } = request.unsignCookie(request.cookies.session_token ?? '')
  if (!valid) return reply.code(401).send()
  const { rows } = await pool.query({ name: 'member', text: member, values: [token, slug] })
  return rows.length === 0 ? reply.code(404).send() : reply.type(types[type]).send(bodyOf(bytes))
})

app.post<{ Querystring: { token: string } }>('/cookie', ({ query: { token } }, reply) =>
  reply.setCookie('session_token', token, { signed: true }).send(),
)

const insertion = `insert into sessions (token, user_id, user_agent, ip_address) values ($1, $2, '', '')`
app.post<{ Body: { email: string; password: string } }>('/sign_in', async ({ body: { email, password } }, reply) => {
  const found = await pool.query({ name: 'user', text: 'select * from users where email = $1', values: [email] })
  const [user] = found.rows
  if (!(await verify(user.password_digest, password))) return reply.code(401).send()
  const token = randomBytes(32).toString('base64url')
  await pool.query({ name: 'session', text: insertion, values: [token, user.id] })
  return reply.setCookie('session_token', token, { signed: true }).redirect('/')
})

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.once('SIGTERM', () => process.exit())
