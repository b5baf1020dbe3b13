import { eq } from 'drizzle-orm'
import { workspaceTokenInvitations, workspaceTokens } from '../../drizzle/tables/workspace-tokens.ts'
import { updateAccount } from '../../features/accounts/account-settings.ts'
import { invite } from '../../features/accounts/invitations.ts'
import { createToken, rollToken } from '../../features/api/tokens/tokens.ts'
import { workspaceTokenKind } from '../../features/workspace-tokens/kind.ts'
import { workspaceKeeper } from '../../features/workspace-tokens/tokens.ts'
import type { Database } from '../../plugins/database/index.ts'
import { byDigest } from '../helpers/people.ts'
import type { World } from '../locks/writers.ts'

// What test/locks lets collide.

const rights = { role: 'admin', scope: 'write' } as const
const dayMs = 86_400_000

/** One that this user made, and that sent an invitation. */
export async function workspaceTokenOf(
  db: Database,
  { accountId, id: invitationId }: { accountId: number; id: number },
  makerId: number,
  now: Date,
) {
  const proof = { hasSecondFactor: true, isException: false }
  const lifetime = { createdAt: now, expiresAt: new Date(now.getTime() + 7 * dayMs) }
  const values = { accountId, makerId, name: 'CI', ...rights, digest: `of ${accountId}`, ...proof, ...lifetime }
  const [workspaceToken] = await db.insert(workspaceTokens).values(values).returning()
  if (!workspaceToken) throw new Error('no token')
  await db.insert(workspaceTokenInvitations).values({ invitationId, tokenId: workspaceToken.id })
  return { workspaceToken }
}

const byMember = ({ app, actorAt, acme, member }: World) => workspaceKeeper(app, actorAt(acme.id, member))
const byOwner = ({ app, actorAt, acme, owner }: World) => workspaceKeeper(app, actorAt(acme.id, owner))
const proof = ({ owner }: World) => byDigest(owner.passwordDigest)

/** The program as it was authenticated. */
async function byProgram({ app, acme, workspaceToken }: World) {
  const client = await workspaceTokenKind(app).find(workspaceToken.digest)
  const found = await client?.accountAt(acme.slug)
  if (!found) throw new Error('the token opens nothing')
  return found.actor
}

export const workspaceTokenWriters: Record<string, (world: World) => Promise<unknown>> = {
  'token of a workspace': (world) =>
    createToken(world.app, byMember(world), { name: 'Sync', ...rights, days: 7 }, proof(world)),
  'roll of a token': (world) => rollToken(world.app, byOwner(world), world.workspaceToken.id, proof(world)),
  'revocation of a token': (world) => byMember(world).revoke(world.workspaceToken.id),
  'change by a program': async (world) => updateAccount(world.app, await byProgram(world), { name: 'Apex' }),
  'invitation by a program': async (world) =>
    invite(world.app, await byProgram(world), { email: `${world.acme.slug}@example.com`, role: 'member' }),
  'end of a token': ({ app, db, workspaceToken: { id } }) =>
    db.transaction(async (tx) => {
      await tx.update(workspaceTokens).set({ expiryMailedAt: app.now() }).where(eq(workspaceTokens.id, id))
      await workspaceTokenKind(app).warn(tx, id)
    }),
}
