import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { users } from '../../drizzle/schema.ts'
import { picturePath } from '../../plugins/composition.ts'
import { always, once } from '../../plugins/inertia/index.ts'
import { normalizeEmail } from '../../plugins/mail/index.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { createAccount } from '../accounts/accounts.ts'
import { byPassword } from './factors.ts'
import { defineMails } from './notices.ts'
import { presentUser } from './props.ts'
import { hasJustBegun } from './reauthentication/index.ts'
import { sessionRoutes, signInRoutes, signUpRoutes } from './routes.ts'
import { secondStepRoutes } from './second-step.ts'
import { deleteSessions } from './sessions.ts'
import { passwordMethod } from './sign-in-methods.ts'
import { defineSuspensionMails } from './suspension.ts'

/** Sign-up, sign-in and sign-out, and what pages know about the signed-in person. */
export const auth = fp(
  async (app) => {
    app.share('auth', ({ auth }) =>
      always({ user: auth && presentUser(auth.user), session: auth && { id: auth.session.token } }),
    )
    app.share('picture', ({ auth }) => {
      if (!auth) return undefined
      const { picture } = auth.user
      return once(() => picturePath(picture), { key: `picture:${picture ?? ''}` })
    })

    // For forms that ask for the current password.
    app.share('without_password', ({ auth, routeOptions }) => {
      if (!auth || !routeOptions.config.reauthenticates) return undefined
      return async () => {
        const recent = await hasJustBegun(app, auth.session.token)
        return recent === undefined ? undefined : { recent }
      }
    })

    app.firstFactors.add(byPassword)
    app.signInMethods.add(passwordMethod)
    defineMails(app)
    defineSuspensionMails(app)
    app.register(signUpRoutes)
    app.register(signInRoutes)
    app.register(secondStepRoutes)
    app.register(sessionRoutes)
  },
  { name: 'auth' },
)

type DemoAdmin = { email: string; password: string }

/** Ensures that the demo user exists, is verified, has this password and no sessions, also in two processes at once. */
export async function ensureDemoAdmin(app: Pick<FastifyInstance, 'db' | 'now' | 'tokens'>, admin: DemoAdmin) {
  const { email, password } = admin
  const passwordDigest = await digestOf(password)
  const now = app.now()
  await app.db.transaction(async (tx) => {
    const values = { name: 'Admin', email: normalizeEmail(email), passwordDigest, verified: true, verifiedAt: now }
    const [created] = await tx.insert(users).values(values).onConflictDoNothing().returning()
    if (created) return createAccount(app, tx, "Admin's account", created.id, { personal: true })

    const verifiedAt = sql`case when verified then verified_at else ${now.toISOString()} end`
    const changes = { passwordDigest, verified: true, verifiedAt }
    const [existing] = await tx.update(users).set(changes).where(eq(users.email, values.email)).returning()
    if (existing) await deleteSessions(tx, existing.id)
  })
}
