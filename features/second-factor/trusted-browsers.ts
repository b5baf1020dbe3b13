import { hash } from 'node:crypto'
import { and, eq, gt, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { User } from '../../drizzle/schema.ts'
import { trustedBrowsers } from '../../drizzle/tables/second-factor.ts'
import type { List } from '../../plugins/composition.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { record } from '../activity/index.ts'
import { type Device, newDeviceId } from '../auth/device.ts'

// Browsers whose device cookie stands for the second step of a user, for 30 days.

declare module 'fastify' {
  interface FastifyInstance {
    /** Of options: whose browsers are never trusted. */
    trustRefusals: List<(user: User) => boolean>
  }
}

export const mayTrustBrowsers = ({ trustRefusals }: FastifyInstance, user: User) =>
  ![...trustRefusals].some((refuses) => refuses(user))

const thirtyDaysMs = 2_592_000_000

const digestOf = (deviceId: string) => hash('sha256', deviceId, 'base64url')
const trustedBy = (userId: number, now: Date) =>
  and(eq(trustedBrowsers.userId, userId), gt(trustedBrowsers.expiresAt, now))

/** When the factor was set up with which this browser was trusted, if it is. Holds until the end of the transaction. */
export async function trustOf(tx: Tx, userId: number, device: Device, now: Date) {
  const isThisBrowser = and(trustedBy(userId, now), eq(trustedBrowsers.device, digestOf(device.id)))
  const [browser] = await tx.select().from(trustedBrowsers).where(isThisBrowser).for('share')
  // One from before this was recorded was trusted after that.
  return browser && (browser.twoFactorsSince ?? new Date(browser.expiresAt.getTime() - thirtyDaysMs))
}

type Trusted = { userId: number; twoFactorsSince: Date | null; device: Device | undefined; now: Date }

/** Returns the device's new id, so that someone who planted or copied the cookie is not trusted as well. */
export async function trustBrowser(tx: Tx, { userId, twoFactorsSince, device, now }: Trusted) {
  const id = newDeviceId()
  const renamed = { device: digestOf(id) }
  const same = device && eq(trustedBrowsers.device, digestOf(device.id))
  if (same) await tx.update(trustedBrowsers).set(renamed).where(same)
  const values = { userId, ...renamed, twoFactorsSince, expiresAt: new Date(now.getTime() + thirtyDaysMs) }
  const target = [trustedBrowsers.userId, trustedBrowsers.device]
  await tx.insert(trustedBrowsers).values(values).onConflictDoUpdate({ target, set: values })
  await record(tx, 'browser_trusted', { userId })
  return id
}

export const countTrustedBrowsers = (db: Database, userId: number, now: Date) =>
  db.$count(trustedBrowsers, trustedBy(userId, now))

export const forgetTrustedBrowsers = (tx: Tx, userId: number, which?: SQL) =>
  tx.delete(trustedBrowsers).where(and(eq(trustedBrowsers.userId, userId), which))
