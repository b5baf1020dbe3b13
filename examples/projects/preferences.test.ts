import t from 'tap'
import { listen } from '../../test/helpers/app.ts'
import { Browser } from '../../test/helpers/browser.ts'
import { password, startAcme, verifiedUp, verify } from '../../test/helpers/people.ts'
import { mailsOf } from '../../test/helpers/records.ts'
import { startSmtp } from '../../test/helpers/smtp.ts'
import { startApp } from '../start.ts'
import { addDays, dayOf } from './days.ts'

const smtp = await startSmtp(t)
const { app, db, clock } = await startApp(t, smtp.environment)
await listen(app)
const page = '/settings/projects'
const form = { name: 'Apollo', client: 'NASA', rate: '1,250.50', currency: 'USD' }

t.test('reminders are turned off in the settings: it is recorded, and a mail says so', async (t) => {
  const { browser, user, person } = await verifiedUp(app)
  t.match(await browser.visit(page), { component: 'projects/preferences', props: { reminders: true } })
  const change = (reminders: unknown) => browser.submit('PATCH', page, { reminders })
  const saved = await change('off')
  t.match(saved, { url: page, props: { reminders: false }, flash: { notice: 'Your settings have been saved' } })
  await change('off')
  for (const wrong of ['maybe', '', null, undefined])
    t.same((await change(wrong)).props.errors, { reminders: ['is not included in the list'] })

  const { activities } = (await browser.visit('/settings/activity')).props
  const changes = activities.filter(({ type }: { type: string }) => type === 'project_reminders_changed')
  t.match(changes, [{ details: { on: false } }], 'once')
  t.equal((await mailsOf(db, user.id)).filter((mail) => mail === 'project_reminders_changed').length, 1)
  await app.jobs.startWorkers()
  const isNotice = ({ text }: { text?: string | undefined }) => text?.includes('we do not remind you of projects')
  while (!smtp.mails.some(isNotice)) await smtp.next()
  t.equal(smtp.mails.find(isNotice)?.recipient, person.email)

  const guest = await Browser.open(app)
  t.equal((await guest.visit(page)).component, 'auth/sign-in')
})

t.test('nobody is reminded who has turned it off, and the export has what they chose and wrote', async (t) => {
  const { owner, join, path } = await startAcme(app)
  const [off, on] = [await join('member'), await join('member')]
  const due_on = addDays(dayOf(clock.now()), 1)
  for (const { browser, user } of [off, on]) {
    await verify(db, user.id)
    await browser.submit('POST', `${path}/projects`, { ...form, name: user.email, due_on })
  }
  for (const reminders of ['off', 'on', 'off']) await off.browser.submit('PATCH', page, { reminders })
  await app.jobs.run('project_reminders')
  t.notOk((await mailsOf(db, off.user.id)).includes('projects_due'))
  t.ok((await mailsOf(db, on.user.id)).includes('projects_due'))

  const exported = await off.browser.request('POST', '/settings/export', { body: { password_challenge: password } })
  const created = [{ name: off.user.email, client: 'NASA', due_on }]
  t.same(exported.json().projects, { reminders: false, created })
  const other = await owner.browser.request('POST', '/settings/export', { body: { password_challenge: password } })
  t.same(other.json().projects, { reminders: true, created: [] })
})
