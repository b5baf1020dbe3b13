import { sql } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import { trustedBrowsers } from '../../drizzle/schema.ts'
import { defineMails } from './mails.ts'
import { securityRoutes } from './routes/security.ts'
import { verifyRoutes } from './routes/verify.ts'

/** Two-factor authentication: codes from an authenticator app, and recovery codes in case it is lost. */
export const secondFactor: FastifyPluginAsync<{ origin: string; appName: string }> = async (app, options) => {
  defineMails(app, options)
  const now = () => app.now().toISOString()
  app.sweeper.add({ table: trustedBrowsers, isExpired: () => sql`${trustedBrowsers.expiresAt} < ${now()}` })
  app.register(securityRoutes)
  app.register(verifyRoutes, options)
}
