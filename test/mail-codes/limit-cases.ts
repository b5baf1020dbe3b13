import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { users } from '../../drizzle/schema.ts'
import { mailCodes } from '../../drizzle/tables/mail-codes.ts'
import { mintCode } from '../../features/mail-codes/codes.ts'
import { type Cases, guest } from '../helpers/limits.ts'
import { verifiedUp } from '../helpers/people.ts'

export const cases: Cases = {
  mail_code: guest('POST', '/sign_in/code', { email: 'nobody@example.com' }),
  mail_code_verification: guest('POST', '/sign_in/code/verify', { code: '1' }),
  async sign_in_code_mail(app) {
    const { user } = await verifiedUp(app)
    const [row] = await app.db.select().from(users).where(eq(users.id, user.id))
    return async () => {
      const id = randomUUID()
      await app.db.insert(mailCodes).values({ id, expiresAt: new Date(app.now().getTime() + 1_000) })
      return row !== undefined && (await mintCode(app, id, row)) === undefined
    }
  },
}
