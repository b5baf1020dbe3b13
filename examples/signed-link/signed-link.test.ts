import t from 'tap'
import { openGuest, password, verifiedUp } from '../../test/helpers/people.ts'
import { typesOf } from '../../test/helpers/records.ts'
import { startWithLinks } from './mailed-links.ts'

const { app, db, smtp, withLink } = await startWithLinks(t)

t.test('a sixth first factor is a folder: sessions, activities, export and mails say that it signed in', async (t) => {
  const { user, person } = await verifiedUp(app)
  const { browser, sid, use } = await withLink(person.email, { return_to: '/settings/sessions' })
  const { url, props, flash } = await use()
  t.match({ url, flash }, { url: '/settings/sessions', flash: { notice: 'Signed in successfully' } })
  t.ok(props.sessions.some(({ method }: { method: string }) => method === 'signed_link'))
  t.equal((await typesOf(db, user.id)).filter((type) => type === 'sign_in_link_used').length, 1)

  const exported = await browser.request('POST', '/settings/export', { body: { password_challenge: password } })
  const { sessions, activity } = exported.json()
  t.ok(sessions.some(({ method }: { method: string }) => method === 'signed_link'))
  t.ok(activity.some(({ details }: { details: { method?: string } }) => details.method === 'signed_link'))
  const notice = await smtp.next('New sign-in to Acme Accounts')
  t.match(notice.text, /Signed in.*with a link by mail/s)
  t.match(notice.text, "If it wasn't, someone reads your mail.")

  const again = await openGuest(app)
  t.match(
    await again.submit('POST', '/sign_in/link/use', { sid }),
    { url: '/sign_in', flash: { alert: 'That link is invalid' } },
    'once',
  )
})
