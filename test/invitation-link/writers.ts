import { randomBytes } from 'node:crypto'
import { invitationLinks } from '../../drizzle/tables/invitation-link.ts'
import { tokenDigestOf } from '../../features/accounts/received-invitations.ts'
import { createInvitationLink, joinByLink } from '../../features/invitation-link/invitation-links.ts'
import type { Database } from '../../plugins/database/index.ts'
import type { World } from '../locks/writers.ts'

// What test/locks lets collide.

/** The token of a link that this member made. */
export async function linkOf(db: Database, accountId: number, membershipId: number, now: Date) {
  const link = randomBytes(8).toString('hex')
  const made = { accountId, membershipId, createdAt: now, expiresAt: new Date(now.getTime() + 86_400_000) }
  await db.insert(invitationLinks).values({ ...made, tokenDigest: tokenDigestOf(link) })
  return { link }
}

export const linkWriters: Record<string, (world: World) => Promise<unknown>> = {
  'invitation link': ({ app, acme, member, actorAt }) => createInvitationLink(app, actorAt(acme.id, member)),
  'joining by the link': ({ app, friend, link }) => joinByLink(app, friend.session, link),
}
