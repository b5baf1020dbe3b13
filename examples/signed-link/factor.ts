import { hash, randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import { record } from '../../features/activity/index.ts'
import { deviceFingerprint } from '../../features/auth/device.ts'
import type { FirstFactor } from '../../features/auth/factors.ts'
import type { SignInMethod } from '../../features/auth/sign-in-methods.ts'
import { text } from '../../plugins/languages/index.ts'
import { consumeOnce } from '../../plugins/security/once.ts'
import { linkWords } from './words.ts'

const tenMinutesMs = 600_000
const owner = 'signed link'

/** For a user as they are now: once the address or the password changes, the link is void. */
type Link = { id: string; userId: number; state: string; expires: number }

const stateOf = (user: User) => hash('sha256', `${user.email} ${user.emailRevision} ${deviceFingerprint(user)}`)

export function makeLink({ sealing, now }: FastifyInstance, user: User) {
  const expires = now().getTime() + tenMinutesMs
  const link: Link = { id: randomUUID(), userId: user.id, state: stateOf(user), expires }
  return sealing.seal(JSON.stringify(link), owner)
}

export function readLink({ sealing, now }: FastifyInstance, sid: string) {
  const opened = sealing.open(sid, owner)
  const link: Link | undefined = opened === undefined ? undefined : JSON.parse(opened)
  return link && link.expires > now().getTime() ? link : undefined
}

export const bySignedLink: FirstFactor<Link> = {
  id: 'signed_link',
  words: linkWords,
  advice: text("If it wasn't, someone reads your mail. Change the password of your mailbox first."),
  consume: (tx, _user, { id, expires }) => consumeOnce(tx, { value: `link ${id}`, expiresAt: new Date(expires) }),
  holds: (_tx, user, { state }) => user.verified && stateOf(user) === state,
  started: (tx, user) => record(tx, 'sign_in_link_used', { userId: user.id }),
}

/** Whoever reads the mail of a verified address has it. */
export const signedLinkMethod: SignInMethod = {
  name: 'signed_link',
  async find(db, userIds) {
    const isVerified = and(inArray(users.id, userIds), eq(users.verified, true))
    const rows = await db.select({ userId: users.id }).from(users).where(isVerified)
    return rows.map(({ userId }) => ({ userId, words: [text('a link by mail')], english: 'link by mail' }))
  },
}
