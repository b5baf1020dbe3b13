import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { assertValid } from '../../plugins/forms/index.ts'
import type { Client } from '../../plugins/http/client.ts'
import { text } from '../../plugins/languages/index.ts'
import { normalizeEmail } from '../../plugins/mail/email-address.ts'
import type { PendingInvitation } from '../accounts/invitations.ts'
import { isClaimable, neverVerified } from '../auth/claims.ts'
import { admit, emailMessages, emailTaken, nameMessages } from '../auth/users.ts'
import { insertIdentity, type Known } from './identities.ts'

type App = Pick<FastifyInstance, 'db' | 'mail' | 'now' | 'waysIn'>
type Input = { name: string; email: string; onlyAs?: string | undefined }

/** Somebody else was faster with the same identity. */
export class AlreadyKnown extends Error {}

/** Whether the address is that of somebody who verified it, or had verified another one that is gone. */
export async function isTaken(db: Database, email: string) {
  const [user] = await db
    .select({ verified: users.verified })
    .from(users)
    .where(and(eq(users.email, email)))
  return user !== undefined && (user.verified || !(await isClaimable(db, email)))
}

/** Whether the address is that of somebody who never verified any: whoever proves it takes their place. */
export async function isUnproved(db: Database, email: string) {
  return (await db.$count(users, and(eq(users.email, email), neverVerified(db)))) > 0
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
 * makes way. Throws AlreadyKnown, or Invalid if the address was taken since the check.
 */
export function signUpWith(
  app: App,
  known: Known,
  newcomer: { name: string; email: string; language: string },
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
