import { eq, sql } from 'drizzle-orm'
import { accounts, memberships, type Role, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { broadcast, type Channel, recheckSubscribers } from '../../plugins/live/broadcast.ts'
import type { Activities, ActivityType } from '../activity/activities.ts'
import { noClient, recordEach, type Source } from '../activity/index.ts'
import { accountChannelName } from '../paths.ts'
import type { Actor } from './access.ts'
import type { AccountMessages, AccountMessageType } from './props.ts'
import { account, member, proofOfSession, unmetRequirement } from './requirements.ts'
import { may, type Right } from './rights.ts'

type Message = { [Type in AccountMessageType]: { type: Type } & AccountMessages[Type] }[AccountMessageType]

/** Messages that say no more than what changed. */
type ChangeType = {
  [Type in AccountMessageType]: Record<never, never> extends AccountMessages[Type] ? Type : never
}[AccountMessageType]

type Subscribe = Channel<'account', Message>['subscribe']

/** Of a channel for those who have this right in an account. Keyed by id, since a slug may pass to another account. */
export const subscribeTo =
  (right: Right): Subscribe =>
  async (db, subscribers, app) => {
    const asked = JSON.stringify(
      subscribers.map(({ userId, sessionToken: token, params }) => ({ user_id: userId, token, slug: params.account })),
    )
    const proof = proofOfSession(sql`asked.token`, sql`${app.now().toISOString()}::timestamptz`)
    const { rows } = await db.execute<{ token: string; slug: string; id: string; role: Role }>(sql`
      select asked.token, asked.slug, ${account.id}, ${member.role}
      from json_to_recordset(${asked}::json) as asked(user_id bigint, token text, slug text)
      join ${accounts} account on ${account.slug} = asked.slug
      join ${memberships} member on ${member.accountId} = ${account.id} and ${member.userId} = asked.user_id
      where ${unmetRequirement(app, proof)} is null`)
    const permitted = rows.filter(({ role }) => may(role, right))
    const ids = new Map(permitted.map(({ token, slug, id }) => [`${token} ${slug}`, id]))
    return subscribers.map(({ sessionToken, params }) => ids.get(`${sessionToken} ${params.account}`))
  }

/** Tells the members of an account what changed. */
export const membersChannel: Channel<'account', Message> = {
  name: accountChannelName,
  params: ['account'],
  presence: true,
  subscribe: subscribeTo('workspace.read'),
}

export const broadcastToMembers = (tx: Tx, accountId: number, type: ChangeType) =>
  broadcast(tx, membersChannel, accountId, { type })

/** For what changes members or invitations and is recorded without recordAccountActivity. */
export async function broadcastRecorded(tx: Tx, accountId: number) {
  await broadcastToMembers(tx, accountId, 'members')
  await broadcastToMembers(tx, accountId, 'activity')
}

export const recheckMembers = (tx: Tx, accountId: number) => recheckSubscribers(tx, membersChannel, accountId)

/**
 * Tells all who have the account open who was removed, so that the page of that person says why it closes. Before
 * `recheckUser`, after which nothing reaches them any more.
 */
export const broadcastRemoval = async (tx: Tx, actor: Actor, userId: number) =>
  broadcast(tx, membersChannel, actor.accountId, {
    type: 'removed',
    user_id: userId,
    ...('token' in actor ? { by: actor.token.name, by_token: true } : { by: await nameOf(tx, actor.userId) }),
  })

/** The same for everyone, before the account is deleted. */
export const broadcastDeletion = async (tx: Tx, accountId: number, actorId: number) =>
  broadcast(tx, membersChannel, accountId, { type: 'deleted', by: await nameOf(tx, actorId) })

export async function broadcastUserChange(tx: Tx, userId: number, type: 'picture' | 'verified') {
  const joined = await tx.select({ id: memberships.accountId }).from(memberships).where(eq(memberships.userId, userId))
  for (const { id } of joined) await broadcast(tx, membersChannel, id, { type, user_id: userId })
}

async function nameOf(tx: Tx, userId: number) {
  const [user] = await tx.select({ name: users.name }).from(users).where(eq(users.id, userId))
  return user?.name ?? ''
}

type InAccount<Type extends ActivityType> = Extract<Activities[Type], { accountId: number }>
type AccountActivity = { [Type in ActivityType]: InAccount<Type> extends never ? never : Type }[ActivityType]

/** Whoever changes an account. Without a user, no one did, such as a job. */
export type Changer = Actor | { accountId: number; userId: number | null }

/** What records say of them: of a program its name and id, and nothing of where it runs. */
export function recordedAs(changer: Changer): { by: { actorId: number | null; token_id?: number }; source: Source } {
  if ('userId' in changer) {
    const { userId: actorId } = changer
    return { by: { actorId }, source: actorId === null ? { client: noClient } : {} }
  }
  const { id, name } = changer.token
  return { by: { actorId: null, token_id: id }, source: { actorName: name, client: noClient } }
}

/** Records what someone did in an account and announces it. Returns the id of the activity. */
export async function recordAccountActivity<Type extends AccountActivity>(
  tx: Tx,
  changer: Changer,
  type: Type,
  details: Omit<InAccount<Type>, 'accountId' | 'actorId'>,
) {
  const { accountId } = changer
  const { by, source } = recordedAs(changer)
  const about = { ...details, ...by, accountId }
  const [activity] = await recordEach(tx, type, about as typeof about & Activities[Type], source)
  if (!activity) throw new Error('the activity was not recorded')
  await broadcastToMembers(tx, accountId, 'activity')
  return activity.id
}
