import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { rateLimits } from '../../drizzle/schema.ts'
import type { LimitName } from '../../plugins/security/limits/index.ts'
import { Browser } from './browser.ts'
import { nextIp, password, verifiedUp } from './people.ts'
import { queuedMails } from './records.ts'

// How tests use up a limit. Those of an option stand in `test/NAME/limit-cases.ts`.

type Method = Parameters<Browser['request']>[0]

/** Uses the limit once. Returns whether it was refused. */
type Hit = () => Promise<boolean>
export type Case = (app: FastifyInstance) => Promise<Hit>

export const anotherClient = () => ({ 'x-forwarded-for': nextIp() })
export const json = { accept: 'application/json' }
export const precognitive = { ...json, precognition: 'true' }

/** Sends a request. Whether it is refused has to be said in words as in Retry-After. */
export async function isRefused(browser: Browser, method: Method, url: string, body: object = {}, headers = {}) {
  const response = await browser.request(method, url, method === 'GET' ? { headers } : { body, headers })
  const { flash } = response.headers.location ? await browser.follow(response) : {}
  const refused = response.statusCode === 429 || flash?.alert === 'Try again later.'
  if (refused !== Number(response.headers['retry-after']) > 0) throw new Error('Retry-After and the answer disagree')
  return refused
}

/** Sends the same request again and again, as a guest or as a person. */
const by =
  (open: (app: FastifyInstance) => Promise<{ browser: Browser; slug: string }>) =>
  (method: Method, url: string, body?: object, headers?: object): Case =>
  async (app) => {
    const { browser, slug } = await open(app)
    return () => isRefused(browser, method, url.replace(':slug', slug), body, headers)
  }
export const guest = by(async (app) => ({ browser: await Browser.open(app), slug: '' }))
export const person = by(verifiedUp)

/** Submits several forms in turn, each time from another client. */
export const inTurn =
  (...forms: (readonly [Method, string, object?])[]): Case =>
  async (app) => {
    const { browser, slug } = await verifiedUp(app)
    const [{ id }] = (await browser.visit(`/${slug}/members`)).props.members
    let count = 0
    return () => {
      const [method, url, body] = forms[count++ % forms.length] as (typeof forms)[0]
      return isRefused(browser, method, url.replace(':slug', slug).replace(':member', id), body, anotherClient())
    }
  }

/** Whether a request that looks successful sent no mail. */
export const sendsNothing =
  (app: FastifyInstance, ask: () => Promise<unknown>): Hit =>
  async () => {
    const before = (await queuedMails(app.db)).length
    await ask()
    return (await queuedMails(app.db)).length === before
  }

/** Invites a new address from a new account each time, so no other limit applies. */
export const invites =
  (open: (app: FastifyInstance) => Promise<{ browser: Browser }>): Case =>
  async (app) => {
    const { browser } = await open(app)
    return async () => {
      await app.db.delete(rateLimits).where(sql`key like 'account_creation:%'`)
      const { props } = await browser.submit('POST', '/accounts', { name: 'Acme' })
      const invitee = { email: newAddress(), role: 'member' }
      return isRefused(browser, 'POST', `/${props.account.slug}/invitations`, invitee)
    }
  }

let addresses = 0

/** An address that no other test uses. */
export const newAddress = () => `invited-${++addresses}@example.com`

export const nobody = { name: '', email: '', password: '', password_confirmation: '' }
export const right = { password_challenge: password }
export const wrong = { password_challenge: 'a wrong password' }

export type Cases = { [Name in LimitName]?: Case }
