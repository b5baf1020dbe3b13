import { eq } from 'drizzle-orm'
import t from 'tap'
import { mailCodes } from '../../drizzle/tables/mail-codes.ts'
import { requestCode } from '../../features/mail-codes/codes.ts'
import { startApp } from '../helpers/app.ts'
import { suspendUser } from '../helpers/endings.ts'
import { untilAllTried } from '../helpers/jobs.ts'
import { codesOf, subject } from '../helpers/mail-codes.ts'
import { openGuest, verifiedUp } from '../helpers/people.ts'
import { startSmtp } from '../helpers/smtp.ts'

const smtp = await startSmtp(t)
const { app, db } = await startApp(t, smtp.environment)
await app.jobs.startWorkers()
const expired = { url: '/sign_in', flash: { alert: 'That code has expired. Ask for a new one' } }

t.test('a suspension ends codes, no further one comes, and one whose mail is being written is void', async (t) => {
  const { user, person } = await verifiedUp(app)
  const guest = await openGuest(app)
  await guest.submit('POST', '/sign_in/code', { email: person.email })
  const { code } = await codesOf(smtp)(person.email)

  await suspendUser(app, user.id)
  t.equal(await db.$count(mailCodes, eq(mailCodes.userId, user.id)), 0)
  t.match(await guest.submit('POST', '/sign_in/code/verify', { code }), expired)
  await (await openGuest(app)).submit('POST', '/sign_in/code', { email: person.email })
  const id = crypto.randomUUID()
  await requestCode(app, { id, email: person.email })
  await untilAllTried(db)
  t.equal(smtp.mails.filter((mail) => subject.test(mail.subject ?? '')).length, 1)
  t.match(await db.select().from(mailCodes).where(eq(mailCodes.id, id)), [{ digest: null }])
})
