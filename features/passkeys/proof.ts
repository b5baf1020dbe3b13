import { sql } from 'drizzle-orm'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import type { StrongProof } from '../accounts/requirements.ts'

export const passkeyProof: StrongProof = {
  name: 'passkeys',
  setUps: sql`select passkey.created_at as set_up_at from ${passkeys} passkey where passkey.user_id = person.id`,
}
