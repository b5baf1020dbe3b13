import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    tokens: Tokens
  }
}

/** app.tokens: mints and reads the tokens of links in mails. */
export default fp<{ key: KeyObject }>(
  async (app, { key }) => {
    app.decorate('tokens', createTokens(key, app.now))
  },
  { name: 'tokens', dependencies: ['clock'] },
)

export type Purpose = 'email_verification' | 'password_reset' | 'pending_sign_in'

/** `state` is what the token depends on: once it is another, the token is dead. */
type Claim = { purpose: Purpose; userId: number; state: string }
type Payload = { user: number; expires: number; state: string }

// milliseconds
const lifetimes: Record<Purpose, number> = {
  email_verification: 2 * 86_400_000,
  password_reset: 20 * 60_000,
  pending_sign_in: 10 * 60_000,
}

/**
 * Self-contained tokens for links: signed, bound to one purpose, to a user and to a fingerprint of that user's state, so that use or change
 * kills them and no table has to remember them. Valid until the moment of expiry, which itself is too late.
 */
export function createTokens(key: KeyObject, now: () => Date) {
  const mac = (...parts: string[]) => createHmac('sha256', key).update(parts.join('\0')).digest()
  const fingerprint = (purpose: Purpose, state: string) =>
    mac('state', purpose, state).toString('base64url').slice(0, 22)

  return {
    mint({ purpose, userId, state }: Claim) {
      const expires = now().getTime() + lifetimes[purpose]
      const payload: Payload = { user: userId, expires, state: fingerprint(purpose, state) }
      const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url')
      return `${encoded}.${mac('token', purpose, encoded).toString('base64url')}`
    },

    /** A token that is the same for the same thing, and that nobody can guess who knows the thing but not the key. Whoever gives it away remembers its digest. */
    derive: (purpose: 'invitation', of: string) => mac('derived', purpose, of).toString('base64url'),

    /** The user of a genuine token that has not expired, and whether a state is still the one that it was minted for. */
    read(purpose: Purpose, token: string) {
      const [encoded = '', signature = '', ...rest] = token.split('.')
      if (rest.length > 0 || !isSame(Buffer.from(signature, 'base64url'), mac('token', purpose, encoded)))
        return undefined
      const payload: Payload = JSON.parse(Buffer.from(encoded, 'base64url').toString())
      if (payload.expires <= now().getTime()) return undefined
      return { userId: payload.user, isFor: (state: string) => payload.state === fingerprint(purpose, state) }
    },
  }
}

export type Tokens = ReturnType<typeof createTokens>

const isSame = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)
