import type { FastifyInstance } from 'fastify'
import { Browser } from './browser.ts'

export const password = 'correct horse battery'

let count = 0

/** Somebody who has not signed up yet. */
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

/** A browser in which a new person is signed in, on the page of their account. */
export async function signedUp(app: FastifyInstance, attributes?: { name?: string; email?: string }, ip?: string) {
  const browser = await Browser.open(app, { ip: ip ?? nextIp() })
  const person = somebody(attributes)
  const page = await browser.submit('POST', '/sign_up', person)
  return { browser, person, page, user: page.props.auth.user, slug: page.props.account.slug as string }
}

/** Another browser of somebody who has signed up. */
export async function signedIn(app: FastifyInstance, person: { email: string; password: string }, ip = nextIp()) {
  const browser = await Browser.open(app, { ip })
  const page = await browser.submit('POST', '/sign_in', { email: person.email, password: person.password })
  return { browser, page }
}

// Every browser its own address, so that one test does not spend the budget of the next.
const nextIp = () => `198.51.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`
let addresses = 0
