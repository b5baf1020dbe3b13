import { type SQL, sql } from 'drizzle-orm'
import type { sessions } from '../../drizzle/schema.ts'

/** What a sign-in begins with. */
export type First = 'password' | `provider:${string}`
/** A factor that was proved in addition, at once or later. */
export type Factor = 'code' | 'recovery_code' | 'passkey'
/** How a session began. A passkey is two factors in one. */
export type Method = First | `${First}_and_${'code' | 'recovery_code'}` | 'passkey'

/** Whether a session began with two factors. */
export const hasTwoFactors = (method: SQL | typeof sessions.method) =>
  sql<boolean>`${method} ~ '(^passkey|_and_code|_and_recovery_code)$'`
