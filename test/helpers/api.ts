import type { FastifyInstance } from 'fastify'
import { invitations } from '../../drizzle/schema.ts'
import type { Browser } from './browser.ts'
import { password, type startAcme } from './people.ts'

/** Creates a token as the page does, and returns its secret. */
export async function createToken(browser: Browser, { scope = 'write', days = 90 } = {}) {
  const token = { name: 'CI', scope, days, password_challenge: password }
  const page = await browser.submit('POST', '/settings/tokens', token)
  if (typeof page.flash?.token !== 'string') throw new Error(`no token was created: ${JSON.stringify(page)}`)
  return page.flash.token
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request to the API with a token, or without one. */
export const call = (app: FastifyInstance, token: string | undefined, method: Method, path: string, payload?: object) =>
  app.inject({
    method,
    url: `/api/v1${path}`,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  })

let invited = 0
export const invitee = () => ({ email: `program-${++invited}@example.com`, role: 'member' })

type Acme = Awaited<ReturnType<typeof startAcme>>

export type Operation = {
  method: Method
  /** Below the account. */
  path?: string | ((app: FastifyInstance, acme: Acme) => Promise<string>)
  /** For managers only. */
  manages?: true
  body?(): object
  status?: number
}

const member = async (_app: FastifyInstance, { join }: Acme) => `/members/${(await join('member')).membershipId}`
async function invitation({ db, now }: FastifyInstance, { account: { id: accountId } }: Acme) {
  const expiresAt = new Date(now().getTime() + 86_400_000)
  const values = { ...invitee(), role: 'member' as const, accountId, expiresAt }
  const [row] = await db.insert(invitations).values(values).returning()
  return `/invitations/${row?.id}`
}

export const operationsInAccount: Record<string, Operation> = {
  getAccount: { method: 'GET' },
  renameAccount: { method: 'PATCH', manages: true, body: () => ({ name: 'Apex' }) },
  listMembers: { method: 'GET', path: '/members' },
  changeRole: { method: 'PATCH', path: member, manages: true, body: () => ({ role: 'admin' }) },
  removeMember: { method: 'DELETE', path: member, manages: true, status: 204 },
  listInvitations: { method: 'GET', path: '/invitations', manages: true },
  invite: { method: 'POST', path: '/invitations', manages: true, body: invitee, status: 201 },
  revokeInvitation: { method: 'DELETE', path: invitation, manages: true, status: 204 },
  listActivity: { method: 'GET', path: '/activity', manages: true },
}

export const pathOf = async ({ path = '' }: Operation, app: FastifyInstance, acme: Acme) =>
  typeof path === 'string' ? path : path(app, acme)
