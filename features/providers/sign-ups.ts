import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { assertValid } from '../../plugins/forms/index.ts'
import type { Client } from '../../plugins/http/client.ts'
import { text } from '../../plugins/languages/index.ts'
import { normalizeEmail } from '../../plugins/mail/email-address.ts'
import type { PendingInvitation } from '../accounts/received-invitations.ts'
import { isClaimable, neverVerified } from '../auth/claims.ts'
import { admit, emailMessages, emailTaken, nameMessages } from '../auth/users.ts'
import { insertIdentity, type Known } from './identities.ts'

type App = Pick<FastifyInstance, 'db' | 'mail' | 'now' | 'waysIn'>
type Input = { name: string; email: string; onlyAs?: string | undefined }

/** Somebody else was faster with the same identity. */
export class AlreadyKnown extends Error {}

/**
 * Whose a proved address is: `taken` by somebody who verified it, `unproved` by whoever signed up with it, whose place
 * may be taken, or free. It also counts as free if its user has another one to go back to.
 */
export async function standingOf(db: Database, email: string) {
  const [user] = await db
    .select({ verified: users.verified, isUnproved: sql<boolean>`${neverVerified}` })
    .from(users)
    .where(eq(users.email, email))
  if (!user) return 'free'
  if (user.isUnproved) return 'unproved'
  return user.verified || !(await isClaimable(db, email)) ? 'taken' : 'free'
}

/** Validates a sign-up. The address is that of the provider if it vouches for it. Throws Invalid. */
export async function checkNewcomer({ db }: Pick<App, 'db'>, known: Known, { name, email: typed, onlyAs }: Input) {
  const proved = known.proved ? known.email : null
  const email = proved ?? normalizeEmail(typed)
  assertValid({ name: nameMessages(name), email: await addressMessages(db, email, proved, onlyAs) })
  return { name, email }
}

async function addressMessages(db: Database, email: string, proved: string | null, onlyAs: string | undefined) {
  if (onlyAs && proved !== onlyAs) return [text('must be {email}, the address invited', { email: onlyAs })]
  const messages = await emailMessages(db, email)
  return messages.includes(emailTaken) && email === proved && (await isClaimable(db, email)) ? [] : messages
}

/**
 * Creates a user without a password whom the identity signs in from then on. If the provider vouches for the address,
 * it counts as verified, an invitation to it is accepted, and somebody who signed up with it and never verified it
 * makes way. With `onlyClaims`, nobody else is let in: throws Denied if that person is gone since the check. Throws
 * AlreadyKnown, or Invalid if the address was taken since then.
 */
export function signUpWith(
  app: App,
  known: Known,
  newcomer: { name: string; email: string; language: string; onlyClaims: boolean },
  client: Client,
  invitation?: PendingInvitation,
) {
  const { proved, provider } = known
  const joins = proved && invitation?.invitation.email === newcomer.email ? invitation : undefined
  return admit(
    app,
    {
      ...newcomer,
      ...{ passwordDigest: null, proved, joins, method: `provider:${provider.id}` },
      async also(tx, { id }, now) {
        if (!(await insertIdentity(tx, now, id, known, now))) throw new AlreadyKnown()
      },
    },
    client,
  )
}
