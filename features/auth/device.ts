import { hash, randomBytes } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { trustedBrowsers } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { type Client, clientOf } from '../../plugins/http/request.ts'
import { record } from '../activity/index.ts'

/** A browser in which people have signed in before. Its password guesses have a budget of their own. */
export type Device = { id: string; people: { userId: number; mark: string }[] }
type Person = { id: number; passwordDigest: string | null }

export type Visitor = Client & { device: Device | undefined }

declare module 'fastify' {
  interface FastifyRequest {
    device(): Device | undefined
  }
  interface FastifyReply {
    /** Adds this person to the device, which may get another id, until they change their password elsewhere. */
    rememberDevice(person: Person, newId?: string): this
  }
}

const newDeviceId = () => randomBytes(16).toString('hex')

const fourHundredDaysSeconds = 34_560_000 // the longest that browsers keep a cookie
const maxPeople = 5

/**
 * A signed cookie with a device id and the last people who signed in there (OWASP, Slow Down Online Guessing Attacks
 * with Device Cookies). It keeps the attempts of the owners apart from those of strangers, and grants no access beyond
 * the second step of people who trust the browser. It contains a mark of each person's password digest, so it is void
 * for them once the password changes.
 */
export const device = fp(
  async (app) => {
    app.registerSignedCookie('device', { maxAge: fourHundredDaysSeconds })
    app.decorateRequest('device', function () {
      return parse(this.signedCookie('device') ?? '')
    })
    app.decorateReply('rememberDevice', function ({ id: userId, passwordDigest }, newId) {
      const { id, people } = this.request.device() ?? { id: newDeviceId(), people: [] }
      const others = people.filter((person) => person.userId !== userId)
      const known = [...others, { userId, mark: markOf(passwordDigest) }].slice(-maxPeople)
      const value = [newId ?? id, ...known.map(({ userId, mark }) => `${userId}-${mark}`)].join('_')
      return this.setSignedCookie('device', value, { maxAge: fourHundredDaysSeconds })
    })
  },
  { name: 'device', dependencies: ['cookies'] },
)

export const visitorOf = (request: FastifyRequest): Visitor => ({ ...clientOf(request), device: request.device() })

/** The person in the device, if they have signed in there with their present password. */
export function knownIn(device: Device | undefined, { id, passwordDigest }: Person) {
  const mark = markOf(passwordDigest)
  return device?.people.find((known) => known.userId === id && known.mark === mark)
}

const markOf = (passwordDigest: string | null) => hash('sha256', passwordDigest ?? '', 'hex').slice(0, 16)

function parse(value: string): Device | undefined {
  if (value === '') return undefined
  const [id = '', ...people] = value.split('_')
  return {
    id,
    people: people.map((person) => {
      const [userId, mark = ''] = person.split('-')
      return { userId: Number(userId), mark }
    }),
  }
}

// Browsers whose device cookie stands for the second step of a user, for 30 days.

const thirtyDaysMs = 2_592_000_000

const digestOf = (deviceId: string) => hash('sha256', deviceId, 'base64url')
const trustedBy = (userId: number, now: Date) =>
  and(eq(trustedBrowsers.userId, userId), gt(trustedBrowsers.expiresAt, now))

/** Holds until the end of the transaction. */
export async function isTrusted(tx: Tx, userId: number, device: Device | undefined, now: Date) {
  if (!device) return false
  const here = and(trustedBy(userId, now), eq(trustedBrowsers.device, digestOf(device.id)))
  return (await tx.select({ userId: trustedBrowsers.userId }).from(trustedBrowsers).where(here).for('share')).length > 0
}

/** Returns the device's new id, so that someone who planted or copied the cookie is not trusted as well. */
export async function trustBrowser(tx: Tx, userId: number, device: Device | undefined, now: Date) {
  const id = newDeviceId()
  const renamed = { device: digestOf(id) }
  const same = device && eq(trustedBrowsers.device, digestOf(device.id))
  if (same) await tx.update(trustedBrowsers).set(renamed).where(same)
  const values = { userId, ...renamed, expiresAt: new Date(now.getTime() + thirtyDaysMs) }
  const target = [trustedBrowsers.userId, trustedBrowsers.device]
  await tx.insert(trustedBrowsers).values(values).onConflictDoUpdate({ target, set: values })
  await record(tx, 'browser_trusted', { userId })
  return id
}

export const countTrustedBrowsers = (db: Database, userId: number, now: Date) =>
  db.$count(trustedBrowsers, trustedBy(userId, now))

export const forgetTrustedBrowsers = (tx: Tx, userId: number) =>
  tx.delete(trustedBrowsers).where(eq(trustedBrowsers.userId, userId))
