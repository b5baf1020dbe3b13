import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { trustedBrowsers } from '../../drizzle/tables/second-factor.ts'
import { startApp } from '../helpers/app.ts'
import { codesOf, enterCode } from '../helpers/mail-codes.ts'
import { openGuest, userRow, verifiedUp } from '../helpers/people.ts'
import { enable, recoveryCodesOf } from '../helpers/second-factor.ts'
import { startSmtp } from '../helpers/smtp.ts'

const smtp = await startSmtp(t)
const { app, clock, db } = await startApp(t, smtp.environment)
await app.jobs.startWorkers()

t.test('a first proof of the address needs no second step, which whoever waited for it may have set up', async (t) => {
  const { person, user, browser } = await verifiedUp(app)
  await enable(browser, { clock })
  const expiresAt = new Date(clock.now().getTime() + 86_400_000)
  await db.insert(trustedBrowsers).values({ userId: user.id, device: 'x', expiresAt })
  await db.update(users).set({ provedEmail: null }).where(eq(users.id, user.id))
  const page = await enterCode(await openGuest(app), person.email, codesOf(smtp))
  t.equal(page.component, 'accounts/show')
  t.match(await userRow(db, user.id), { secondFactorAt: null })
  t.same(await recoveryCodesOf(db, user.id), [])
  t.equal(await db.$count(trustedBrowsers), 0)
})
