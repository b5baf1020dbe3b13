import type { FastifyInstance } from 'fastify'
import type { Database } from '../../plugins/database/index.ts'
import { assertValid } from '../../plugins/forms/index.ts'
import type { Client } from '../../plugins/http/client.ts'
import { normalizeEmail } from '../../plugins/mail/email-address.ts'
import type { PendingInvitation } from '../accounts/received-invitations.ts'
import { holdersOf, replaceableIn } from '../auth/addresses.ts'
import { createUser, nameMessages, newEmailMessages } from '../auth/sign-up.ts'
import { type Arrival, consumeArrival } from './cookies.ts'
import { insertIdentity, isKnown, type Known } from './identities.ts'

/** Of a proved address. `unproved` if a sign-up takes the place of the unverified user who has it. */
export async function emailAvailability(db: Database, email: string) {
  const holders = await holdersOf(db, email)
  if (!holders) return 'taken'
  return replaceableIn(holders) ? 'unproved' : 'free'
}

class Spent extends Error {}

type Input = { name: string; email: string; invitedEmail: string | undefined }

export async function checkNewcomer(db: Database, known: Known, { name, email: typed, invitedEmail }: Input) {
  const proved = (known.proved && known.email) || undefined
  // An invitation is not for anyone who types its address.
  const email = proved ?? (invitedEmail ? '' : normalizeEmail(typed))
  assertValid({ name: nameMessages(name), email: await newEmailMessages(db, email, { invitedEmail, proved }) })
  return { name, email }
}

/** Undefined if the identity was connected or the arrival used meanwhile. Throws Invalid, or Denied by `mustClaim`. */
export function signUpWith(
  app: FastifyInstance,
  known: Known & Arrival,
  newcomer: { name: string; email: string; language: string; mustClaim: boolean },
  client: Client,
  invitation?: PendingInvitation,
) {
  const { proved, provider } = known
  const ownInvitation = proved && invitation?.invitation.email === newcomer.email ? invitation : undefined
  const signedUp = createUser(
    app,
    {
      ...newcomer,
      passwordDigest: null,
      proved,
      ownInvitation,
      method: `provider:${provider.id}`,
      async onCreated(tx, { id }, now) {
        const isFirst = (await consumeArrival(tx, known)) && (await insertIdentity(tx, now, id, known, now))
        if (!isFirst) throw new Spent()
      },
    },
    client,
  )
  return signedUp.catch(async (error) => {
    // They may have signed up in another tab, and then their address is taken, too.
    if (error instanceof Spent || (await isKnown(app.db, known))) return undefined
    throw error
  })
}
