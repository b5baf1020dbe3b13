import t from 'tap'
import { listen } from '../../test/helpers/app.ts'
import { Browser } from '../../test/helpers/browser.ts'
import { signedUp, startAcme, verify } from '../../test/helpers/people.ts'
import { queuedMails } from '../../test/helpers/records.ts'
import { startSmtp } from '../../test/helpers/smtp.ts'
import { accountIdentifier, openStream } from '../../test/helpers/sse.ts'
import { startApp } from '../start.ts'
import { addDays, dayOf } from './days.ts'
import { projects } from './tables.ts'

const smtp = await startSmtp(t)
const { app, db, clock } = await startApp(t, smtp.environment)
await listen(app)
await app.jobs.startWorkers()

const form = { name: 'Apollo', client: 'NASA', rate: '1,250.50', currency: 'USD', due_on: '2031-07-16' }
const denied = { alert: "You don't have permission to do that" }
type Person = { browser: Browser }
const add = ({ browser }: Person, path: string, changed = {}) =>
  browser.submit('POST', `${path}/projects`, { ...form, ...changed })
const activitiesOf = async ({ browser }: Person, path: string) =>
  (await browser.visit(`${path}/activity`)).props.activities

t.test('a member creates a project: it is listed, announced to open tabs and recorded', async (t) => {
  const { owner, join, path } = await startAcme(app)
  const member = await join('member')
  const stream = await openStream(t, app, owner.browser, [accountIdentifier(path.slice(1))])

  const page = await add(member, path)
  t.equal(page.component, 'projects/index')
  t.same(page.flash, { notice: 'Project created' })
  t.match(page.props.projects, [
    {
      name: 'Apollo',
      client: 'NASA',
      rate: { amount: 125050, currency: 'USD' },
      due_on: '2031-07-16',
      creator_name: member.user.name,
      can_change: true,
    },
  ])
  await stream.next(({ message }) => message?.type === 'projects')
  const { next_projects } = (await owner.browser.visit(path)).props
  t.match(next_projects, [{ name: 'Apollo', can_change: false }], 'the overview has what is due next')
  const [activity] = await activitiesOf(owner, path)
  t.match(activity, { type: 'project_created', details: { project_name: 'Apollo' } })
  const [filtered] = (await owner.browser.visit(`${path}/activity?kind=account`)).props.activities
  t.equal(filtered.type, 'project_created', 'it counts as activity of the workspace')
})

t.test('projects are listed by due day, page by page, each of them once', async (t) => {
  const { owner, account, path } = await startAcme(app)
  const many = Array.from({ length: 70 }, (_, index) => ({
    accountId: account.id,
    name: `Project ${index}`,
    client: 'NASA',
    rateAmount: 0,
    rateCurrency: 'EUR' as const,
    dueOn: addDays('2031-01-01', (index * 7) % 10), // several are due on the same day
  }))
  await db.insert(projects).values(many)

  const listed = []
  for (let query = ''; ; ) {
    const { props, scrollProps } = await owner.browser.visit(`${path}/projects${query}`)
    listed.push(...props.projects)
    const { nextPage } = (scrollProps as { projects: { nextPage: string | null } }).projects
    if (nextPage === null) break
    query = `?after=${nextPage}`
  }
  t.equal(new Set(listed.map(({ id }) => id)).size, 70)
  const days = listed.map(({ due_on }) => due_on)
  t.same(days, days.toSorted())
  for (const position of ['17', '~', '17~2026-02-30', "17~'", '1234567890123456~2026-12-24', '1~tomorrow']) {
    const anew = (await owner.browser.visit(`${path}/projects?after=${position}`)).props.projects
    t.equal(anew[0].id, listed[0].id, 'what is no position starts the list anew')
  }
})

t.test('the list shows the projects of one currency', async (t) => {
  const { owner, path } = await startAcme(app)
  await add(owner, path)
  await add(owner, path, { name: 'Ariane', currency: 'EUR' })
  const listed = async (query: string) => {
    const { props } = await owner.browser.visit(`${path}/projects${query}`)
    return [props.currency, props.projects.map(({ name }: { name: string }) => name)]
  }
  t.same(await listed('?currency=EUR'), ['EUR', ['Ariane']])
  t.same(await listed('?currency=JPY'), ['JPY', []])
  for (const all of ['', '?currency=', '?currency=XXX']) t.same(await listed(all), [null, ['Apollo', 'Ariane']])
})

t.test('a name is taken once in a workspace, even by two at once', async (t) => {
  const { owner, path } = await startAcme(app)
  const elsewhere = await startAcme(app)
  const create = () => owner.browser.request('POST', `${path}/projects`, { body: form })
  await Promise.all([create(), create()])
  const [{ id }, ...others] = (await owner.browser.visit(`${path}/projects`)).props.projects
  t.same(others, [])
  const taken = { name: ['has already been taken'] }
  t.same((await add(owner, path)).props.errors, taken)
  const [, second] = (await add(owner, path, { name: 'Gemini' })).props.projects
  t.same((await owner.browser.submit('PATCH', `${path}/projects/${second.id}`, form)).props.errors, taken)
  t.same((await owner.browser.submit('PATCH', `${path}/projects/${id}`, form)).flash, { notice: 'Project saved' })
  t.same((await add(elsewhere.owner, elsewhere.path)).flash, { notice: 'Project created' })
})

t.test('members change their own projects, managers all of them', async (t) => {
  const { owner, join, path } = await startAcme(app)
  const [admin, member, other] = [await join('admin'), await join('member'), await join('member')]
  const [{ id }] = (await add(member, path)).props.projects
  const project = `${path}/projects/${id}`

  t.equal((await other.browser.visit(`${path}/projects`)).props.projects[0].can_change, false)
  t.same((await other.browser.visit(`${project}/edit`)).flash, denied)
  t.same((await other.browser.submit('PATCH', project, { ...form, rate: 'much' })).flash, denied)
  t.same((await other.browser.submit('DELETE', project)).flash, denied)
  t.match((await member.browser.visit(`${project}/edit`)).props.project, { name: 'Apollo', due_on: '2031-07-16' })
  const saved = await member.browser.submit('PATCH', project, { ...form, due_on: '2032-02-29' })
  t.match(saved.props.projects, [{ due_on: '2032-02-29' }])
  t.same((await admin.browser.submit('DELETE', project)).props.projects, [])
  const types = (await activitiesOf(owner, path)).map(({ type }: { type: string }) => type)
  t.same(types.slice(0, 3), ['project_deleted', 'project_changed', 'project_created'])
})

t.test('whoever leaves hands their projects over', async (t) => {
  const { owner, join, path } = await startAcme(app)
  const [member, left] = [await join('member'), await join('member')]
  await add(member, path)
  await add(left, path, { name: 'Gemini' })
  await left.browser.submit('DELETE', `${path}/members/${left.membershipId}`)
  const creators = (await owner.browser.visit(`${path}/projects`)).props.projects.map(
    ({ name, creator_name }: { name: string; creator_name: string | null }) => [name, creator_name],
  )
  t.same(creators, [
    ['Apollo', member.user.name],
    ['Gemini', null],
  ])
})

t.test('what cannot be read is rejected, and the form of a project leads back to itself', async (t) => {
  const { owner, path } = await startAcme(app)
  const empty = (await add(owner, path, { name: ' ', client: '', rate: '', currency: 'XXX', due_on: null })).props
  t.same(empty.errors, {
    name: ["can't be blank"],
    client: ["can't be blank"],
    rate: ["can't be blank"],
    currency: ['is not included in the list'],
    due_on: ["can't be blank"],
  })
  const [{ id }] = (await add(owner, path)).props.projects
  const wrong = { ...form, rate: '1,5', due_on: '2031-02-30' }
  const page = await owner.browser.submit('PATCH', `${path}/projects/${id}`, wrong)
  t.equal(page.url, `${path}/projects/${id}/edit`)
  t.same(page.props.errors, { rate: ['is invalid'], due_on: ['is invalid'] })
  t.equal((await owner.browser.precognize('POST', `${path}/projects`, wrong, 'rate')).statusCode, 422)
  t.equal((await owner.browser.precognize('POST', `${path}/projects`, form)).statusCode, 204)
})

t.test('a workspace has at most 500 projects', async (t) => {
  const { owner, account, path } = await startAcme(app)
  const one = { accountId: account.id, client: 'NASA', rateAmount: 1, rateCurrency: 'JPY' } as const
  await db
    .insert(projects)
    .values(Array.from({ length: 500 }, (_, index) => ({ ...one, name: `=1+${index}`, dueOn: '2031-01-01' })))
  t.same((await add(owner, path)).flash, { alert: 'A workspace has at most 500 projects' })

  const { headers, body } = await owner.browser.request('GET', `${path}/projects.csv`)
  t.equal(headers['content-disposition'], `attachment; filename="${path.slice(1)}-projects.csv"`)
  for (let count = 1; count < 10; count++) await owner.browser.request('GET', `${path}/projects.csv`)
  t.equal((await owner.browser.visit(`${path}/projects.csv`)).flash?.alert, 'Try again later.', 'ten files at once')
  const lines = body.trim().split('\r\n')
  t.equal(lines.length, 501)
  t.same(lines.slice(0, 2), [
    '"name","client","hourly_rate","currency","due_on"',
    `"'=1+0","NASA","1","JPY","2031-01-01"`,
  ])
})

t.test('the creator of a project that is due gets one mail', async (t) => {
  const { owner, join, path } = await startAcme(app)
  const [member, gone] = [await join('member'), await join('member')]
  for (const { user } of [member, gone]) await verify(db, user.id)
  const today = dayOf(clock.now())
  await add(member, path, { due_on: addDays(today, 1), rate: '1,250.50' })
  await add(member, path, { name: 'Gemini', due_on: today, rate: '99' })
  await add(member, path, { name: 'Mercury', due_on: addDays(today, 2), rate: '99' })
  await add(gone, path, { name: 'Vostok', due_on: today })
  await owner.browser.submit('DELETE', `${path}/members/${gone.membershipId}`)

  await app.jobs.run('project_reminders')
  await app.jobs.run('project_reminders')
  const reminders = () => smtp.mails.filter(({ text }) => text?.includes(`${path}/projects`))
  while (reminders().length === 0) await smtp.next()
  const [{ recipient = '', text = '' } = {}] = reminders()
  t.equal(recipient, member.person.email)
  t.match(text, /Gemini: .* \$99\.00/)
  t.match(text, /Apollo: .*\$1,250\.50/)
  t.notMatch(text, 'Mercury')

  const [first] = await activitiesOf(owner, path)
  t.match(first, { type: 'project_due', actor_name: null, details: { project_name: 'Vostok', due_on: today } })
  const types = (await activitiesOf(owner, path)).map(({ type }: { type: string }) => type)
  t.equal(types.filter((type: string) => type === 'project_due').length, 3, 'each of them once')
  const queued = (await queuedMails(db)).filter(({ mail }) => mail === 'projects_due')
  t.same(
    queued.map(({ userId }) => userId),
    [member.user.id],
    'one mail, and none to who has left',
  )
  t.equal(reminders().length, 1)
})

t.test('others find nothing, and ids of other workspaces are unknown', async (t) => {
  const { owner, path } = await startAcme(app)
  const [{ id }] = (await add(owner, path)).props.projects
  const stranger = await signedUp(app)
  for (const place of ['projects', 'projects.csv', 'projects/new', `projects/${id}/edit`])
    t.equal((await stranger.browser.request('GET', `${path}/${place}`)).statusCode, 404, place)
  const elsewhere = `/${stranger.slug}/projects/${id}`
  t.equal((await stranger.browser.request('DELETE', elsewhere)).statusCode, 404)
  for (const body of [form, {}]) t.equal((await stranger.browser.request('PATCH', elsewhere, { body })).statusCode, 404)
  const guest = await Browser.open(app)
  t.equal((await guest.visit(`${path}/projects`)).component, 'auth/sign-in')
})
