import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { oneTimeValues } from '../../drizzle/schema.ts'
import { parseJson } from '../../plugins/http/bodies.ts'
import { hasPasskey } from './ways-in.ts'
import { consumeAssertion, findAssertion, isCopied } from './webauthn/assertions.ts'
import { isTooLong } from './webauthn/relying-party.ts'

export const reauthenticationScope = (userId: number) => ({ purpose: 'reauthentication', of: String(userId) }) as const

/** A passkey in place of the current password. */
export function reauthenticateByPasskey(app: FastifyInstance) {
  app.reauthenticationProofs.add({
    field: 'passkey_challenge',
    async verify(request, answer) {
      const { id } = request.signedIn.user
      const match = await findAssertion(app, reauthenticationScope(id), assertionIn(answer), id)
      if (!match?.assertion) return undefined
      const { passkey, assertion } = match
      if (isCopied(passkey, assertion)) return void request.security('passkey', 'counter')
      if ((await app.db.$count(oneTimeValues, eq(oneTimeValues.value, assertion.answered.value))) > 0) return undefined
      return (tx) => consumeAssertion(request, tx, passkey, assertion)
    },
  })
  app.share('has_passkey', ({ auth, routeOptions }) => {
    if (!auth || !routeOptions.config.reauthenticates) return undefined
    return async () => (await hasPasskey(app.db, auth.user.id)) || undefined
  })
}

function assertionIn(answer: unknown) {
  if (typeof answer !== 'string') return answer
  return isTooLong(answer) ? undefined : parseJson(answer)
}
