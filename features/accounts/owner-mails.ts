import { and, asc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import { accounts, activities, memberships, type Role, users } from '../../drizzle/schema.ts'
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

/**
 * About what goes on without the user who made it, whose suspension is recorded in no account. `makerId` is for workers
 * of the version before, which would tell of a deleted user without it.
 */
export type MakerMailIds = OwnerMailIds & { accountId: number; makerId: number }

/** What is recorded, about a user of this name or none. `isMember`: whether the recipient is one. */
async function changeForOwner(db: Database, { userId, activityId, accountId }: OwnerMailIds & Partial<MakerMailIds>) {
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
    .innerJoin(accounts, eq(accounts.id, accountId ?? activities.accountId))
    .innerJoin(users, and(eq(users.id, userId), eq(users.verified, true)))
    .leftJoin(about, eq(about.id, activities.userId))
    .where(eq(activities.id, activityId))
  if (!change) return undefined
  const { userName, activity } = change
  return {
    ...change,
    place: nameInMail(change.account.name) ?? text('a workspace'),
    name: userName === null ? text('a deleted user') : (nameInMail(userName) ?? text('Somebody')),
    actor: nameInMail(activity.actorName ?? ''),
    time: raw({ at: activity.createdAt, precision: 'second' } as const),
  }
}

export type OwnerWords = Pick<Message, 'subject' | 'facts' | 'advice' | 'action'> & {
  preheader?: Text
  paragraph: Text
  secondParagraph?: Text | undefined
}
export type Change = NonNullable<Awaited<ReturnType<typeof changeForOwner>>>

type OwnerMailName = { [Name in keyof Mails]: Mails[Name] extends OwnerMailIds ? Name : never }[keyof Mails]
type Words<Ids> = (change: Change, ids: Ids) => OwnerWords | undefined | Promise<OwnerWords>
type OwnerMails = {
  /** About what somebody changed. */
  changes: { [Name in OwnerMailName]?: Words<Mails[Name]> }
  action?: (slug: string) => Message['action']
}

/** The time is a fact of a change, but not of what goes on. */
export function defineOwnerMails({ db, mail }: FastifyInstance, { changes, action }: OwnerMails) {
  for (const [name, wordsOf] of Object.entries(changes))
    mail.define(name as OwnerMailName, {
      async compose(ids) {
        const change = await changeForOwner(db, ids)
        const words = change && (await wordsOf(change, ids as never))
        if (!words) return undefined
        const {
          paragraph,
          secondParagraph,
          preheader = text('Check that this is right.'),
          facts = [],
          ...others
        } = words
        const { user, account, time } = change
        return {
          to: user.email,
          language: user.language,
          preheader,
          paragraphs: [greeting(user.name), paragraph, ...(secondParagraph ? [secondParagraph] : [])],
          facts: 'accountId' in ids ? facts : [...facts, { label: text('Time'), value: time }],
          action: action?.(account.slug),
          ...others,
        }
      },
    })
}
