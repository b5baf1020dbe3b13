import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { sharedApp } from './app.ts'
import { Browser } from './browser.ts'

export const password = 'correct horse battery'

let count = 0

/** Valid sign-up data for a new person. */
export function somebody(attributes: { name?: string; email?: string } = {}) {
  count++
  return {
    name: `Ana ${count}`,
    email: `ana-${count}@example.com`,
    password,
    password_confirmation: password,
    ...attributes,
  }
}

/** Signs up a new person. The browser is on their account's page. */
export async function signedUp(app: FastifyInstance, attributes?: { name?: string; email?: string }, ip?: string) {
  const browser = await Browser.open(app, { ip: ip ?? nextIp() })
  const person = somebody(attributes)
  const page = await browser.submit('POST', '/sign_up', person)
  return { browser, person, page, user: page.props.auth.user, slug: page.props.account.slug as string }
}

/** A new person in the shared application. */
export async function sharedPerson(t: Test) {
  const started = await sharedApp(t)
  return { ...started, ...(await signedUp(started.app)) }
}

/** Signs up a new person who has verified their address, as one has to before adding a passkey or a second factor. */
export async function verifiedUp(app: FastifyInstance, attributes?: { name?: string; email?: string }) {
  const someone = await signedUp(app, attributes)
  const verified = { verified: true, verifiedAt: app.now(), provedEmail: users.email, updatedAt: users.updatedAt }
  await app.db.update(users).set(verified).where(eq(users.id, someone.user.id))
  return someone
}

/** Makes the address of a person count as verified. */
export const verify = (db: Database, userId: number) =>
  db.update(users).set({ verified: true }).where(eq(users.id, userId))

/** Signs in an existing person in another browser. */
export async function signedIn(app: FastifyInstance, person: { email: string; password: string }, ip = nextIp()) {
  const browser = await Browser.open(app, { ip })
  const page = await browser.submit('POST', '/sign_in', { email: person.email, password: person.password })
  return { browser, page }
}

// A new address for each browser, so tests do not use up each other's rate limits.
const nextIp = () => `198.51.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`
let addresses = 0
