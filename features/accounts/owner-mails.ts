import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Account, accounts, activities, type User, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { raw, type Text, text } from '../../plugins/languages/index.ts'
import type { Mails, Message } from '../../plugins/mail/index.ts'
import { greeting, nameInMail } from '../../plugins/mail/names.ts'

// What mails to owners about their workspace need (mailOwners in mails.ts queues them). Undefined if the workspace is gone,
// or the owner has no verified address.

export type OwnerMailIds = { userId: number; activityId: number }
export type MakerMailIds = OwnerMailIds & { accountId: number; makerId: number }

const ofOwner = (userId: number) => and(eq(users.id, userId), eq(users.verified, true))
const placeOf = ({ name }: { name: string }) => nameInMail(name) ?? text('a workspace')

export async function changeForOwner(db: Database, { userId, activityId }: OwnerMailIds) {
  const [change] = await db
    .select({ user: users, account: accounts, activity: activities })
    .from(activities)
    .innerJoin(accounts, eq(accounts.id, activities.accountId))
    .innerJoin(users, ofOwner(userId))
    .where(eq(activities.id, activityId))
  if (!change) return undefined
  const { createdAt, actorName } = change.activity
  const time = { label: text('Time'), value: raw({ at: createdAt, precision: 'second' }) } as const
  return { ...change, place: placeOf(change.account), actor: nameInMail(actorName ?? ''), time }
}

/** Who made something that goes on without them. */
export async function makerForOwner(db: Database, { userId, accountId, makerId }: MakerMailIds) {
  const [found] = await db
    .select({ user: users, account: accounts })
    .from(accounts)
    .innerJoin(users, ofOwner(userId))
    .where(eq(accounts.id, accountId))
  if (!found) return undefined
  const [maker] = await db.select({ name: users.name }).from(users).where(eq(users.id, makerId))
  const name = maker ? (nameInMail(maker.name) ?? text('Somebody')) : text('a deleted user')
  return { ...found, name, place: placeOf(found.account) }
}

type NamesOf<Ids> = {
  [Name in keyof Mails]: [Mails[Name], Ids] extends [Ids, Mails[Name]] ? Name : never
}[keyof Mails]

export type OwnerWords = Pick<Message, 'subject' | 'preheader' | 'facts' | 'advice'> & { paragraph: Text }
export type Change = NonNullable<Awaited<ReturnType<typeof changeForOwner>>>
type Maker = NonNullable<Awaited<ReturnType<typeof makerForOwner>>>

type OwnerMails = {
  /** About what somebody changed. */
  changes: { [Name in NamesOf<OwnerMailIds>]?: (change: Change) => OwnerWords }
  /** About what goes on without who made it. */
  makers: { [Name in NamesOf<MakerMailIds>]?: (maker: Maker) => OwnerWords }
  action(slug: string): Message['action']
}

export function defineOwnerMails({ db, mail }: FastifyInstance, { changes, makers, action }: OwnerMails) {
  function messageTo({ user, account }: { user: User; account: Account }, { paragraph, ...words }: OwnerWords) {
    const { email: to, language, name } = user
    const button = action(account.slug)
    return { to, language, paragraphs: [greeting(name), paragraph], ...words, ...(button && { action: button }) }
  }
  for (const [name, wordsOf] of Object.entries(changes))
    mail.define(name as NamesOf<OwnerMailIds>, {
      async compose(ids) {
        const change = await changeForOwner(db, ids)
        return change && messageTo(change, wordsOf(change))
      },
    })
  for (const [name, wordsOf] of Object.entries(makers))
    mail.define(name as NamesOf<MakerMailIds>, {
      async compose(ids) {
        const maker = await makerForOwner(db, ids)
        return maker && messageTo(maker, wordsOf(maker))
      },
    })
}
