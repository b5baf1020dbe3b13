import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { TOTP } from 'totp-generator'
import { sessions } from '../../drizzle/schema.ts'
import { recoveryCodes } from '../../drizzle/tables/second-factor.ts'
import type { Database } from '../../plugins/database/index.ts'
import type { Browser } from './browser.ts'
import { nextIp, openGuest, password, verifiedUp } from './people.ts'

export type Started = {
  app: FastifyInstance
  clock: { now(): Date; forward(by: { seconds?: number; minutes?: number }): void }
}

/** What a page says after a wrong code, and after a sign-in that is no longer pending. */
export const wrongCodeErrors = { code: ['is invalid'] }
export const startOver = { alert: 'Please sign in again' }

/** The code an app would show, computed by another library than the one under test. */
export const codeAt = async (secret: string, at: Date) => (await TOTP.generate(secret, { timestamp: at.getTime() })).otp

const inArabic = (digits: string) => digits.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)))

/** As people may type a code: in groups, and in digits of any script. */
export const typed = (code: string) => ` ${inArabic(code.slice(0, 3))} ${code.slice(3)} `

/** Starts a setup and returns what the page shows. */
export async function start(browser: Browser) {
  const { flash } = await browser.submit('POST', '/settings/second_factor', { password_challenge: password })
  if (!flash?.setup) throw new Error('no setup has begun')
  return flash.setup as { secret: string; uri: string; qr: string }
}

/** A code that is wrong for all time steps around this moment. */
export async function wrongCode(secret: string, at: Date) {
  const right = await Promise.all(
    [-60, -30, 0, 30, 60].map((seconds) => codeAt(secret, new Date(at.getTime() + seconds * 1000))),
  )
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code)) ?? ''
}

/** Sets up a second factor. Returns its secret and the resulting page, with the recovery codes. */
export async function enable(browser: Browser, { clock }: Pick<Started, 'clock'>) {
  const { secret } = await start(browser)
  const page = await browser.submit('PATCH', '/settings/second_factor', { code: await codeAt(secret, clock.now()) })
  if (!page.flash?.recovery_codes) throw new Error(`no second factor but ${JSON.stringify(page)}`)
  return { secret, page }
}

/** Signs up a person with a second factor, enabled half a minute ago so that the next code is unused. */
export async function withSecondFactor({ app, clock }: Started) {
  const someone = await verifiedUp(app)
  const { secret, page } = await enable(someone.browser, { clock })
  clock.forward({ seconds: 30 })
  return {
    ...someone,
    secret,
    code: () => codeAt(secret, clock.now()),
    wrong: () => wrongCode(secret, clock.now()),
    recoveryCodes: page.flash?.recovery_codes as string[],
    /** Another browser, after the right password. */
    halfway: (more?: object) => halfway(app, someone.person, more),
  }
}

/** A browser between password and code. */
export async function halfway(app: FastifyInstance, person: { email: string }, more: object = {}) {
  const browser = await openGuest(app)
  const response = await browser.request('POST', '/sign_in', { body: { email: person.email, password, ...more } })
  const prove = (code: unknown) => {
    browser.headers['x-forwarded-for'] = nextIp() // attempts count per user, whatever client they come from
    return browser.request('POST', '/sign_in/verify', { body: { code } })
  }
  return { browser, response, prove, submit: async (code: unknown) => browser.follow(await prove(code)) }
}

/** How this browser's session began, as its page tells it. */
export async function methodOf(browser: Browser) {
  const { sessions, auth } = (await browser.visit('/settings/sessions')).props
  return sessions.find(({ id }: { id: string }) => id === auth.session.id).method
}

export const sessionsOf = (db: Database, userId: number) =>
  db.select().from(sessions).where(eq(sessions.userId, userId))

export const recoveryCodesOf = (db: Database, userId: number) =>
  db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, userId))
