import t, { type Test } from 'tap'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { startAcme } from '../helpers/people.ts'
import { forgetMails } from '../helpers/records.ts'
import { linkIn, startSmtp } from '../helpers/smtp.ts'

async function startPosting(t: Test) {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  const { owner } = await startAcme(app)
  await forgetMails(db)
  await app.jobs.work()
  const invite = () => owner.browser.submit('POST', '/acme/invitations', { email: 'new@example.com', role: 'member' })
  const resend = async () => {
    const [invitation] = (await owner.browser.visit('/acme/members')).props.invitations
    return owner.browser.submit('POST', `/acme/invitations/${invitation.id}/resend`)
  }
  const open = async (link: string) => (await new Browser(app).send('GET', new URL(link).pathname)).statusCode
  return { smtp, app, db, invite, resend, open }
}

t.test('resending creates a new link and invalidates the old one', async (t) => {
  const { smtp, invite, resend, open } = await startPosting(t)
  await invite()
  const older = linkIn(await smtp.next())
  await resend()
  const newer = linkIn(await smtp.next())
  t.not(newer, older)
  t.equal(await open(older), 404)
  t.equal(await open(newer), 200)
})
