import { hash, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type SessionFactors, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { type Client, clientOf } from '../../plugins/http/request.ts'
import { keyOf, type LimitName } from '../../plugins/security/limits/index.ts'

/** A browser, and who has signed in there, as fingerprints. Its password guesses have a budget of their own. */
export type Device = { id: string; fingerprints: string[] }
type DeviceUser = { id: number; passwordDigest: string | null }

/** Who asks, with the device that they keep a cookie of. */
export type ClientWithDevice = Client & { device: Device | undefined }

export const newDeviceId = () => randomBytes(16).toString('hex')

const deviceCookie = { maxAge: 34_560_000 } // 400 days in seconds, the longest that browsers keep a cookie
const maxPeople = 5

/**
 * Adds this person to a signed cookie with a device id and the last people who signed in there (OWASP, Slow Down Online
 * Guessing Attacks with Device Cookies). It keeps the attempts of the owners apart from those of strangers, and grants
 * no access beyond the second step of people who trust the browser.
 */
export function rememberDevice(reply: FastifyReply, person: DeviceUser, newId?: string) {
  const { id, fingerprints } = deviceOf(reply.request) ?? { id: newDeviceId(), fingerprints: [] }
  const others = fingerprints.filter((each) => !each.startsWith(`${person.id}-`))
  const newest = [...others, deviceFingerprint(person)].slice(-maxPeople)
  return reply.setSignedCookie('device', [newId ?? id, ...newest].join('_'), deviceCookie)
}

export function deviceOf(request: FastifyRequest): Device | undefined {
  const [id, ...fingerprints] = request.signedCookie('device')?.split('_') ?? []
  return id ? { id, fingerprints } : undefined
}

export const clientWithDevice = (request: FastifyRequest): ClientWithDevice => ({
  ...clientOf(request),
  device: deviceOf(request),
})

/** How somebody last signed in there, which the sign-in page marks. It says nothing of who it was. */
export const rememberMethod = (reply: FastifyReply, { firstFactor, provider }: SessionFactors) =>
  reply.setHostCookie('last_method', provider ?? firstFactor, deviceCookie)

export const lastMethodOf = (request: FastifyRequest) => request.cookie('last_method')

/** Whether they have signed in there with their present password. */
export const isKnown = (device: Device | undefined, person: DeviceUser) =>
  device?.fingerprints.includes(deviceFingerprint(person)) === true

/** The key of what this browser counts apart from others, for a person whom it knows. */
export const ownBudget = (limit: LimitName, device: Device | undefined, person: DeviceUser) =>
  isKnown(device, person) ? keyOf(limit, `${device?.id} ${deviceFingerprint(person)}`) : undefined

/** The same for whoever has an address. Looks any of them up, so that none takes longer than another. */
export async function ownBudgetFor(db: Database | Tx, limit: LimitName, device: Device | undefined, email: string) {
  const fields = { id: users.id, passwordDigest: users.passwordDigest }
  const [person] = await db.select(fields).from(users).where(eq(users.email, email))
  return person && ownBudget(limit, device, person)
}

/** Depends on the password, so the device is void for them once they change it elsewhere. */
export const deviceFingerprint = ({ id, passwordDigest }: DeviceUser) =>
  `${id}-${hash('sha256', passwordDigest ?? '', 'hex').slice(0, 16)}`
