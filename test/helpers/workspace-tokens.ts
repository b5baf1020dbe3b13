import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { call, type Method } from './api.ts'
import { challenge, startAcme } from './people.ts'

type Wanted = { name?: string; role?: 'admin' | 'member'; scope?: 'read' | 'write'; days?: number }
type Acme = Awaited<ReturnType<typeof startAcme>>

/** Acme with a verified owner, and requests with tokens of it. */
export async function acmeWithTokens(app: FastifyInstance) {
  const acme = await startAcme(app)
  const url = `${acme.path}/tokens`
  const api = `/accounts${acme.path}`
  const verify = (id: number) =>
    app.db
      .update(users)
      .set({ verified: true, verifiedAt: new Date(0), provedEmail: users.email })
      .where(eq(users.id, id))
  await verify(acme.owner.user.id)

  /** Creates one as the page does. */
  async function create({ browser }: Pick<Acme['owner'], 'browser'> = acme.owner, wanted: Wanted = {}) {
    const body = { name: 'CI', role: 'admin', scope: 'write', days: 90, ...wanted, ...challenge }
    const page = await browser.submit('POST', url, body)
    const secret = page.flash?.token
    if (typeof secret !== 'string') throw new Error(`no token was created: ${JSON.stringify(page)}`)
    const id: number = page.props.tokens[0].id
    const send = (method: Method, path: string, payload?: object) => call(app, secret, method, path, payload)
    /** The status of a request below the workspace. */
    const status = async (method: Method, below = '', payload?: object) =>
      (await send(method, api + below, payload)).statusCode
    return { id, secret, send, status }
  }

  async function joinVerified(role: 'owner' | 'admin' | 'member') {
    const someone = await acme.join(role)
    await verify(someone.user.id)
    return someone
  }
  const list = async () => (await acme.owner.browser.visit(url)).props.tokens
  return { ...acme, url, api, create, joinVerified, list }
}
