import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { sessionHasTwoFactors, sessionTwoFactorsSince } from '../../accounts/requirements.ts'

/** What a token keeps of the session in which it is created. */
export const proofToKeep = ({ strongProofs, now }: FastifyInstance, token: string) => ({
  hasSecondFactor: sessionHasTwoFactors(sql`${token}`),
  twoFactorsSince: sessionTwoFactorsSince(sql`${token}`),
  kept: [...strongProofs].flatMap(({ kept }) => kept?.(token, now()) ?? [])[0] ?? sql`'{}'::bigint[]`,
})
