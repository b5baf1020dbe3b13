import { createHmac, type KeyObject } from 'node:crypto'
import fp from 'fastify-plugin'
import { isSameMac, type Keys } from './keys.ts'

declare module 'fastify' {
  interface FastifyInstance {
    tokens: Tokens
  }
}

export default fp<{ keys: Keys }>(async (app, { keys }) => {
  app.decorate('tokens', createTokens(keys, app.now))
})

export type Purpose = 'email_change' | 'email_verification' | 'not_mine' | 'password_reset' | 'pending_sign_in'

/** Options add theirs, by declaration merging. */
export interface DerivedPurposes {
  invitation: true
  removal: true
  slug: true
}

type DerivedPurpose = keyof DerivedPurposes

/** The token depends on `state`: once the state changes, the token is invalid. */
type Claim = { purpose: Purpose; userId: number; state: string }
type Payload = { user: number; expires: number; state: string }

export const lifetimesMs: Record<Purpose, number> = {
  email_change: 3 * 86_400_000,
  email_verification: 2 * 86_400_000,
  not_mine: 2 * 86_400_000,
  password_reset: 20 * 60_000,
  pending_sign_in: 10 * 60_000,
}

/** Bound to a fingerprint of the user's state, which a use changes: so each works once, without a table. */
export function createTokens(keys: Keys, now: () => Date) {
  const [current] = keys

  return {
    mint({ purpose, userId, state }: Claim) {
      const expires = now().getTime() + lifetimesMs[purpose]
      const payload: Payload = { user: userId, expires, state: fingerprint(current, purpose, state) }
      const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url')
      return `${encoded}.${signatureOf(current, purpose, encoded)}`
    },

    /** Always the same token for the same thing, which nobody can make without the key. */
    derive: (purpose: DerivedPurpose, of: string) => derived(current, purpose, of),

    /** Also what the previous key made, to find what was stored with it. */
    deriveWithEachKey: (purpose: DerivedPurpose, of: string) => keys.map((key) => derived(key, purpose, of)),

    /** The user of a genuine, unexpired token. `isFor` says whether a state is still the one it was minted for. */
    read(purpose: Purpose, token: string) {
      const [encoded = '', signature = '', ...rest] = token.split('.')
      const key = keys.find((key) => isSameMac(signature, signatureOf(key, purpose, encoded)))
      if (rest.length > 0 || !key) return undefined
      const payload: Payload = JSON.parse(Buffer.from(encoded, 'base64url').toString())
      if (payload.expires <= now().getTime()) return undefined
      return { userId: payload.user, isFor: (state: string) => payload.state === fingerprint(key, purpose, state) }
    },
  }
}

export type Tokens = ReturnType<typeof createTokens>

const mac = (key: KeyObject, ...parts: string[]) => createHmac('sha256', key).update(parts.join('\0')).digest()

const derived = (key: KeyObject, purpose: DerivedPurpose, of: string) =>
  mac(key, 'derived', purpose, of).toString('base64url')

const fingerprint = (key: KeyObject, purpose: Purpose, state: string) =>
  mac(key, 'state', purpose, state).toString('base64url').slice(0, 22)

const signatureOf = (key: KeyObject, purpose: Purpose, encoded: string) =>
  mac(key, 'token', purpose, encoded).toString('base64url')
