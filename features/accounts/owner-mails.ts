import { and, asc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import { type Account, accounts, activities, memberships, type Role, type User, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { raw, type Text, text } from '../../plugins/languages/index.ts'
import type { Mails, Message } from '../../plugins/mail/index.ts'
import { greeting, nameInMail } from '../../plugins/mail/names.ts'
import { tryTakeMail } from '../../plugins/security/limits/index.ts'
import { ownerShownIn } from './accounts.ts'

// Mails to owners about their workspace. None is sent if the workspace is gone, or the owner has no verified address.

/** A mail to owners of the account. */
type OwnerMail = { [Name in keyof Mails]: Mails[Name] extends { userId: number } ? Name : never }[keyof Mails]

type OwnersOf = {
  accountId: number
  /** One who did it, and needs no mail. */
  except?: number | null
  /** Who is no owner any more. */
  formerId?: number
  /** Others than owners, too. */
  roles?: Role[]
}

/** Tells all owners whose address is verified, so that nobody can take over an account unnoticed. */
export async function mailOwners<Name extends OwnerMail & string>(
  { mail }: FastifyInstance,
  tx: Tx,
  name: Name,
  about: Omit<Mails[Name], 'userId'>,
  { accountId, except, formerId = 0, roles = ['owner'] }: OwnersOf,
) {
  const owners = tx
    .select({ id: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.accountId, accountId), inArray(memberships.role, roles)))
  const recipients = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(
      and(or(inArray(users.id, owners), eq(users.id, formerId)), eq(users.verified, true), ne(users.id, except ?? 0)),
    )
    .orderBy(asc(users.id))
  for (const { id, email } of recipients)
    if (await tryTakeMail(tx, 'notice_mail', email, { kind: `${name} ` }))
      await mail.queue(tx, name, { userId: id, ...about } as unknown as Mails[Name])
}

export type OwnerMailIds = { userId: number; activityId: number }

export const ofOwner = (userId: number) => and(eq(users.id, userId), eq(users.verified, true))
export const placeOf = ({ name }: { name: string }) => nameInMail(name) ?? text('a workspace')

/** What is recorded, about a user of this name or none. `isMember`: whether the recipient is one. */
async function changeForOwner(db: Database, { userId, activityId }: OwnerMailIds) {
  const about = alias(users, 'about')
  const [change] = await db
    .select({
      user: users,
      account: accounts,
      activity: activities,
      userName: about.name,
      person: ownerShownIn(sql`${users.id}`),
      isMember: sql<boolean>`exists (
        select from ${memberships} where ${memberships.accountId} = ${accounts.id}
          and ${memberships.userId} = ${users.id})`,
    })
    .from(activities)
    .innerJoin(accounts, eq(accounts.id, activities.accountId))
    .innerJoin(users, ofOwner(userId))
    .leftJoin(about, eq(about.id, activities.userId))
    .where(eq(activities.id, activityId))
  if (!change) return undefined
  const { createdAt, actorName } = change.activity
  const time = { label: text('Time'), value: raw({ at: createdAt, precision: 'second' }) } as const
  return { ...change, place: placeOf(change.account), actor: nameInMail(actorName ?? ''), time }
}

export type NamesOf<Ids> = {
  [Name in keyof Mails]: [Mails[Name], Ids] extends [Ids, Mails[Name]] ? Name : never
}[keyof Mails]

/** Of a change, its time is a fact, too. */
export type OwnerWords = Pick<Message, 'subject' | 'facts' | 'advice' | 'action'> & {
  preheader?: Text
  paragraph: Text
  secondParagraph?: Text | undefined
}
export type Words = OwnerWords | undefined | Promise<OwnerWords>
export type Change = NonNullable<Awaited<ReturnType<typeof changeForOwner>>>

type Recipient = { user: User; account: Account; time?: Change['time'] }

export type Action = (slug: string) => Message['action']

export async function messageTo({ user, account, time }: Recipient, composed: Words, action?: Action) {
  const words = await composed
  if (!words) return undefined
  const { paragraph, secondParagraph, preheader = text('Check that this is right.'), facts = [], ...others } = words
  const { email: to, language, name } = user
  const paragraphs = [greeting(name), paragraph, ...(secondParagraph ? [secondParagraph] : [])]
  const known = { to, language, preheader, paragraphs, facts: time ? [...facts, time] : facts }
  return { ...known, action: action?.(account.slug), ...others }
}

type OwnerMails = {
  /** About what somebody changed. */
  changes: { [Name in NamesOf<OwnerMailIds>]?: (change: Change, ids: Mails[Name]) => Words }
  action?: Action
}

export function defineOwnerMails({ db, mail }: FastifyInstance, { changes, action }: OwnerMails) {
  for (const [name, wordsOf] of Object.entries(changes))
    mail.define(name as NamesOf<OwnerMailIds>, {
      async compose(ids) {
        const change = await changeForOwner(db, ids)
        return change && messageTo(change, wordsOf(change, ids), action)
      },
    })
}
