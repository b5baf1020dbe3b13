import { and, asc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import { accounts, activities, memberships, type Role, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { raw, text } from '../../plugins/languages/index.ts'
import type { Mails } from '../../plugins/mail/index.ts'
import { greeting, nameInMail } from '../../plugins/mail/names.ts'
import { tryTakeMail } from '../../plugins/security/limits/index.ts'
import { paths } from '../paths.ts'
import { ownerShownIn } from './accounts.ts'
import type { Person } from './props.ts'
import { mintInvitation } from './received-invitations.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    account_invitation: { invitationId: number }
    /** To one of the owners. The activity says who made whom an owner. */
    owner_added: { userId: number; activityId: number }
    /** The same of somebody who is no owner any more, to them, too. */
    owner_removed: { userId: number; activityId: number }
  }
}

/** A mail to owners of the account. */
type OwnerMail = { [Name in keyof Mails]: Mails[Name] extends { userId: number } ? Name : never }[keyof Mails]
type OwnerMailIds = { userId: number; activityId: number }

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

export function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  app.mail.define('account_invitation', {
    async compose({ invitationId }, { id }) {
      const minted = await mintInvitation(app, invitationId, id)
      if (!minted) return undefined
      const { account, person, invitation, language, token } = minted
      // A program with a token of the account invites in its name.
      const inviter = nameInMail(minted.inviterName ?? account.name) ?? text('Somebody')
      const { name, place } = namesOf(account, person)
      return {
        to: invitation.email,
        language,
        subject: text('{inviter} invited you to {place} on {appName}', {
          inviter,
          place: name, // as in the contract
          appName,
        }),
        preheader: text('You can accept or decline until {day}.', {
          day: { at: invitation.expiresAt, precision: 'day' },
        }),
        heading: text('Join {place}', { place }),
        paragraphs: [
          text('{inviter} invited you to {place} on {appName} as {role}.', {
            inviter,
            place,
            appName,
            role: articles[invitation.role],
          }),
          ...(account.requireSecondFactor ? [needsFactor] : []),
        ],
        action: { label: text('See the invitation'), url: paths.invitation(token).url },
        footnotes: [
          text('The invitation expires on {day}.', { day: { at: invitation.expiresAt, precision: 'day' } }),
          text("If you don't know what this is about, you can ignore this email."),
        ],
      }
    },
  })

  app.mail.define('owner_added', {
    async compose(ids) {
      const change = await ownerChange(app.db, ids)
      if (!change) return undefined
      const { name, actor, accountName, place } = change
      return {
        ...partsOf(change),
        subject: text('{name} is now an owner of {place}', { name, place: accountName }),
        preheader: text('If this is not right, an owner can change the role again.'),
        paragraphs: [
          greeting(change.recipient.name),
          text('{actor} made {name} an owner of {place}.', { actor, name, place }),
          text('Owners have full control: members and their roles, settings, deletion.'),
        ],
      }
    },
  })

  app.mail.define('owner_removed', {
    async compose(ids) {
      const change = await ownerChange(app.db, ids)
      if (!change) return undefined
      const { name, actor, accountName, place } = change
      return {
        ...partsOf(change),
        subject: text('{name} is no longer an owner of {place}', { name, place: accountName }),
        preheader: text('If this is not right, an owner can change the role again.'),
        paragraphs: [
          greeting(change.recipient.name),
          text('{actor} took the ownership of {place} from {name}.', { actor, name, place }),
        ],
      }
    },
  })
}

/** What both mails about an owner have in common. Who is no member any more can't see the members. */
const partsOf = ({ recipient, account, createdAt, isMember }: OwnerChange) => ({
  to: recipient.email,
  language: recipient.language,
  facts: [{ label: text('Time'), value: raw({ at: createdAt, precision: 'second' }) }],
  advice: [text("If it was done in your name and it wasn't you, choose a new password right away.")],
  ...(isMember && { action: { label: text('See the members'), url: paths.members(account.slug).url } }),
})

type OwnerChange = NonNullable<Awaited<ReturnType<typeof ownerChange>>>

/** Undefined if the account or one of both users is gone, or the recipient has no verified address. */
async function ownerChange(db: Database, { userId, activityId }: OwnerMailIds) {
  const owners = alias(users, 'owners')
  const [row] = await db
    .select({
      recipient: users,
      account: accounts,
      person: ownerShownIn(sql`${users.id}`),
      isMember: sql<boolean>`exists (
        select from ${memberships} where ${memberships.accountId} = ${accounts.id}
          and ${memberships.userId} = ${users.id})`,
      ownerName: owners.name,
      actorName: activities.actorName,
      createdAt: activities.createdAt,
    })
    .from(activities)
    .innerJoin(accounts, eq(accounts.id, activities.accountId))
    .innerJoin(owners, eq(owners.id, activities.userId))
    .innerJoin(users, and(eq(users.id, userId), eq(users.verified, true)))
    .where(eq(activities.id, activityId))
  if (!row) return undefined
  const { name: accountName, place } = namesOf(row.account, row.person)
  const [name, actor] = [row.ownerName, row.actorName ?? ''].map((each) => nameInMail(each) ?? text('Somebody'))
  return { ...row, accountName, place, name: name ?? text('Somebody'), actor: actor ?? text('Somebody') }
}

/** What mails call a workspace: by its own name, and that of another person as theirs. */
function namesOf(account: { name: string }, person: Person) {
  const name = nameInMail(account.name)
  if (!name) return { name: text('a workspace'), place: text('a workspace') }
  return { name, place: person ? text('{name}’s workspace', { name }) : name }
}

const needsFactor = text(
  'It requires two-factor authentication: a code from an app, or a passkey. You set one up when you join.',
)
const articles = { owner: text('an owner'), admin: text('an admin'), member: text('a member') }
