import { hash, randomBytes } from 'node:crypto'
import { and, eq, gt, type SQL } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { trustedBrowsers } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { type Client, clientOf } from '../../plugins/http/request.ts'
import { record } from '../activity/index.ts'

/** A browser, and a mark of each person who has signed in there. Its password guesses have a budget of their own. */
export type Device = { id: string; people: string[] }
type Person = { id: number; passwordDigest: string | null }

export type Visitor = Client & { device: Device | undefined }

const newDeviceId = () => randomBytes(16).toString('hex')

const deviceCookie = { maxAge: 34_560_000 } // 400 days in seconds, the longest that browsers keep a cookie
const maxPeople = 5

/**
 * Adds this person to a signed cookie with a device id and the last people who signed in there (OWASP, Slow Down Online
 * Guessing Attacks with Device Cookies). It keeps the attempts of the owners apart from those of strangers, and grants
 * no access beyond the second step of people who trust the browser.
 */
export function rememberDevice(reply: FastifyReply, person: Person, newId?: string) {
  const { id, people } = deviceOf(reply.request) ?? { id: newDeviceId(), people: [] }
  const others = people.filter((mark) => !mark.startsWith(`${person.id}-`))
  const known = [...others, markOf(person)].slice(-maxPeople)
  return reply.setSignedCookie('device', [newId ?? id, ...known].join('_'), deviceCookie)
}

export function deviceOf(request: FastifyRequest): Device | undefined {
  const [id, ...people] = request.signedCookie('device')?.split('_') ?? []
  return id ? { id, people } : undefined
}

export const visitorOf = (request: FastifyRequest): Visitor => ({ ...clientOf(request), device: deviceOf(request) })

/** Whether they have signed in there with their present password. */
export const isKnown = (device: Device | undefined, person: Person) => device?.people.includes(markOf(person)) === true

/** Depends on the password, so the device is void for them once they change it elsewhere. */
export const markOf = ({ id, passwordDigest }: Person) =>
  `${id}-${hash('sha256', passwordDigest ?? '', 'hex').slice(0, 16)}`

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

export const forgetTrustedBrowsers = (tx: Tx, userId: number, which?: SQL) =>
  tx.delete(trustedBrowsers).where(and(eq(trustedBrowsers.userId, userId), which))
