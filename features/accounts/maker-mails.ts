import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { nameInMail } from '../../plugins/mail/names.ts'
import { type Action, messageTo, type NamesOf, type OwnerMailIds, ofOwner, placeOf, type Words } from './owner-mails.ts'

// Mails to owners about what goes on without who made it.

export type MakerMailIds = OwnerMailIds & { accountId: number; makerId: number }

async function makerForOwner(db: Database, { userId, accountId, makerId }: MakerMailIds) {
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

type Maker = NonNullable<Awaited<ReturnType<typeof makerForOwner>>>
type MakerMails = { makers: { [Name in NamesOf<MakerMailIds>]?: (maker: Maker) => Words }; action: Action }

export function defineMakerMails({ db, mail }: FastifyInstance, { makers, action }: MakerMails) {
  for (const [name, wordsOf] of Object.entries(makers))
    mail.define(name as NamesOf<MakerMailIds>, {
      async compose(ids) {
        const maker = await makerForOwner(db, ids)
        return maker && messageTo(maker, wordsOf(maker), action)
      },
    })
}
