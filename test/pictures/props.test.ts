import t from 'tap'
import { sharedApp } from '../helpers/app.ts'
import { deferredProps, type Page } from '../helpers/browser.ts'
import { invite, sharedAcme, sharedLiveAcme, signedIn, signedUp, verifiedUp } from '../helpers/people.ts'
import { formOf, picture, upload } from '../helpers/pictures.ts'
import { acme, beat, type Frame, isPresence, openStream } from '../helpers/sse.ts'

const isPicture = (path: unknown) => /^\/pictures\/[\w-]{22}\.webp$/.test(String(path))

t.test('pictures stand wherever people and accounts are listed', async (t) => {
  const { app, path, account, owner, join } = await sharedAcme(t)
  const member = await join('member')
  const before = (await owner.browser.visit(`${path}/members`)).props
  t.same([before.account.picture, before.picture, before.members[0].picture], [null, null, null])

  const own = (await upload(owner.browser)).props.picture
  t.ok(isPicture(own))
  const sign = (await upload(owner.browser, undefined, `${path}/picture`)).props.account.picture
  t.ok(isPicture(sign))
  const { members, accounts } = (await member.browser.visit(`${path}/members`)).props
  t.same([members[0].picture, members[1].picture], [own, null])
  t.equal(accounts.find(({ slug }: { slug: string }) => slug === account.slug).picture, sign)
  const { activities } = (await owner.browser.visit(`${path}/activity`)).props
  t.match(activities[0], { type: 'picture_changed', picture: own })
  t.equal((await owner.browser.visit('/settings/activity')).props.activities[0].picture, own)

  const { link } = await invite(app, owner, path, 'invited@example.com')
  t.equal((await member.browser.visit(link)).props.account_picture, sign)
})

t.test('others see a personal workspace with the picture of its owner, who sees none', async (t) => {
  const { app } = await sharedApp(t)
  const ana = await verifiedUp(app, { name: 'Ana' })
  const ben = await verifiedUp(app, { name: 'Ben' })
  const own = (await upload(ana.browser)).props.picture
  const { link } = await invite(app, ana, '/ana', ben.person.email)
  t.equal((await ben.browser.visit(link)).props.account_picture, own)
  await ben.browser.submit('POST', `${link}/accept`)
  const shownTo = async ({ browser }: typeof ana) => {
    const { account, accounts } = (await browser.visit('/ana')).props
    const listed = accounts.find(({ slug }: { slug: string }) => slug === 'ana')
    return [account.picture, listed.picture]
  }
  t.same(
    [await shownTo(ben), await shownTo(ana)],
    [
      [own, own],
      [null, null],
    ],
  )
  await ana.browser.submit('PATCH', '/ana/settings', { name: 'Acme' })
  t.same(await shownTo(ben), [null, null], 'under another name')
})

t.test('a picture is the first step of who has none', async (t) => {
  const { app } = await sharedApp(t)
  const { browser, slug } = await signedUp(app)
  const stepsNow = async () => (await deferredProps(browser, `/${slug}`)).first_steps
  t.has(await stepsNow(), [{ id: 'email' }, { id: 'picture', done: false }])
  await upload(browser)
  t.has(await stepsNow(), [{ id: 'email' }, { id: 'picture', done: true }])
})

t.test("one's own picture, and those of the switcher, are sent once, and again when they change", async (t) => {
  const { path, owner } = await sharedAcme(t)
  const { onceProps } = await owner.browser.visit(path)
  const held = { 'x-inertia-except-once-props': Object.keys(onceProps as object).join() }
  const propsAfter = async (method: 'PUT' | 'DELETE', url: string) => {
    await owner.browser.request(method, url, method === 'PUT' ? { body: formOf(await picture()) } : {})
    return (await owner.browser.visit(path, held)).props
  }
  const inSwitcher = ({ accounts }: Page['props']) =>
    accounts.find(({ slug }: { slug: string }) => `/${slug}` === path).picture
  const { props } = await owner.browser.visit(path, held)
  t.same(['picture' in props, 'accounts' in props], [false, false])
  t.ok(isPicture((await propsAfter('PUT', '/settings/picture')).picture))
  t.ok(isPicture(inSwitcher(await propsAfter('PUT', `${path}/picture`))))
  t.equal(inSwitcher(await propsAfter('DELETE', `${path}/picture`)), null)
})

t.test('a new picture shows in other tabs, and to others who are there', async (t) => {
  const { app, owner, join } = await sharedLiveAcme(t)
  const member = await join('member')
  await beat(owner.browser, { tab_id: 'tab' })
  const { browser: tab } = await signedIn(app, owner.person)
  for (const browser of [tab, member.browser]) {
    const stream = await openStream(t, app, browser, [acme])
    await stream.next(isPresence)
    const from = stream.frames.length
    const { props } = await upload(owner.browser)
    const message = await stream.next(({ message }) => message?.type === 'picture', from)
    t.same(message.message, { type: 'picture', user_id: owner.user.id })
    // the one that greets whoever comes may arrive in between
    const isNew = ({ type, present }: Frame) => type === 'presence' && present[0]?.picture === props.picture
    const { present } = await stream.next(isNew, from)
    t.same([present.length, present[0].user_id], [1, owner.user.id])
  }
})
