import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { TOTP } from 'totp-generator'
import { recoveryCodes, sessions } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { Browser } from './browser.ts'
import { password, verifiedUp } from './people.ts'

type Started = {
  app: FastifyInstance
  clock: { now(): Date; forward(by: { seconds?: number; minutes?: number }): void }
}

/** What a page says after a wrong code, and after a sign-in that is no longer pending. */
export const wrongCodeErrors = { code: ['is invalid'] }
export const startOver = { alert: 'Please sign in again' }

/** The code an app would show, computed by another library than the one under test. */
export const codeAt = async (secret: string, at: Date) => (await TOTP.generate(secret, { timestamp: at.getTime() })).otp

export const inArabic = (digits: string) => digits.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)))

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

/** Signs up a person with a second factor, enabled half a minute ago so that the next code is unused. */
export async function withSecondFactor({ app, clock }: Started) {
  const someone = await verifiedUp(app)
  const { secret } = await start(someone.browser)
  const code = () => codeAt(secret, clock.now())
  const page = await someone.browser.submit('PATCH', '/settings/second_factor', { code: await code() })
  if (!page.flash?.recovery_codes) throw new Error(`no second factor but ${JSON.stringify(page)}`)
  clock.forward({ seconds: 30 })
  return {
    ...someone,
    secret,
    code,
    wrong: () => wrongCode(secret, clock.now()),
    recoveryCodes: page.flash.recovery_codes as string[],
    /** Another browser, after the right password. */
    halfway: () => halfway(app, someone.person),
  }
}

/** A browser between password and code. */
export async function halfway(app: FastifyInstance, person: { email: string }, more: object = {}) {
  const browser = await Browser.open(app, { ip: nextIp() })
  const response = await browser.request('POST', '/sign_in', { body: { email: person.email, password, ...more } })
  const prove = (code: unknown) => {
    browser.headers['x-forwarded-for'] = nextIp() // attempts count per user, whatever client they come from
    return browser.request('POST', '/sign_in/verify', { body: { code } })
  }
  return { browser, response, prove, submit: async (code: unknown) => browser.follow(await prove(code)) }
}

const nextIp = () => `192.0.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`
let addresses = 0

export const sessionsOf = (db: Database, userId: number) =>
  db.select().from(sessions).where(eq(sessions.userId, userId))

export const recoveryCodesOf = (db: Database, userId: number) =>
  db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, userId))
