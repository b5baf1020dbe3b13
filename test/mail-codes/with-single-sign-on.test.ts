import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, users } from '../../drizzle/schema.ts'
import { ssoDomains, ssoIdentities } from '../../drizzle/tables/single-sign-on.ts'
import { startApp } from '../helpers/app.ts'
import { codesOf, enterCode } from '../helpers/mail-codes.ts'
import { openGuest, verifiedUp } from '../helpers/people.ts'
import { startSmtp } from '../helpers/smtp.ts'

const smtp = await startSmtp(t)
const { app, db } = await startApp(t, smtp.environment)
await app.jobs.startWorkers()

t.test('a first proof of the address leaves the single sign-on of who proved its domain, and no other', async (t) => {
  const domain = 'squatted.example'
  const { person, user } = await verifiedUp(app, { email: `ana@${domain}` })
  for (const name of ['Proved', 'Not']) {
    const [account] = await db.insert(accounts).values({ name, slug: name.toLowerCase() }).returning()
    const accountId = account?.id ?? 0
    await db.insert(ssoIdentities).values({ accountId, userId: user.id, subject: 'ana' })
    const verifiedAt = name === 'Proved' ? new Date() : null
    await db.insert(ssoDomains).values({ accountId, domain, record: name, verifiedAt })
  }
  await db.update(users).set({ provedEmail: null }).where(eq(users.id, user.id))
  await enterCode(await openGuest(app), person.email, codesOf(smtp))
  const left = await db
    .select({ name: accounts.name, subject: ssoIdentities.subject })
    .from(ssoIdentities)
    .innerJoin(accounts, eq(accounts.id, ssoIdentities.accountId))
    .orderBy(accounts.id)
  t.same(left, [
    { name: 'Proved', subject: 'ana' },
    { name: 'Not', subject: null },
  ])
})
