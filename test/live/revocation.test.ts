import { sql } from 'drizzle-orm'
import t from 'tap'
import { forgotten, liveAcme, password, sharedLiveAcme, signedIn } from '../helpers/people.ts'
import { accountIdentifier, acme, beat, isMessage, isPresence, isRejected, openStream } from '../helpers/sse.ts'

t.test('a removed member learns by whom, and receives nothing more of the account, but everything else', async (t) => {
  const { app, owner, join } = await sharedLiveAcme(t)
  const member = await join('member')
  const own = accountIdentifier(member.slug)
  const stream = await openStream(t, app, member.browser, [acme, own])
  await stream.until(() => stream.frames.length === 4)
  const watching = await openStream(t, app, owner.browser, [acme])
  await beat(member.browser, { tab_id: 'tab-1' })
  await watching.next((frame) => isPresence(frame) && frame.present.length === 1)
  const seen = watching.frames.length

  await owner.browser.submit('DELETE', `/acme/members/${member.membershipId}`)
  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })
  await member.browser.submit('PATCH', `/${member.slug}/settings`, { name: 'Mine' })
  await stream.next((frame) => isMessage(frame) && frame.identifier === own)
  t.same(
    stream.frames.slice(4).filter((frame) => frame.identifier === acme && !isPresence(frame)),
    [
      { identifier: acme, message: { type: 'removed', user_id: member.user.id, by: owner.person.name }, tab_id: null },
      { type: 'reject_subscription', identifier: acme },
    ],
  )
  t.same((await watching.next(isPresence, seen)).present, [], 'and is present no longer')
  t.notOk(stream.ended)
})

t.test('who is in a workspace that is deleted learns by whom', async (t) => {
  const { app, owner, join } = await sharedLiveAcme(t)
  const member = await join('member')
  const streams = [await openStream(t, app, member.browser, [acme]), await openStream(t, app, owner.browser, [acme])]
  await owner.browser.submit('DELETE', '/acme', { password_challenge: password })
  for (const stream of streams) {
    const { message } = await stream.next(({ message }) => message?.type === 'deleted')
    t.same(message, { type: 'deleted', by: owner.person.name })
    await stream.next(isRejected)
  }
})

t.test('whatever ends a session ends its streams at once, and no others', async (t) => {
  const { app, owner, join } = await sharedLiveAcme(t)
  const bystander = await openStream(t, app, owner.browser, [acme])

  const ways: Record<string, (person: Awaited<ReturnType<typeof join>>) => Promise<unknown>> = {
    'signing out': async ({ browser, session }) => browser.submit('DELETE', `/sessions/${session}`),
    'being signed out from elsewhere': async ({ person, session }) =>
      (await signedIn(app, person)).browser.submit('DELETE', `/sessions/${session}`),
    'a changed password': async ({ person }) => {
      const elsewhere = await signedIn(app, person)
      const kept = await openStream(t, app, elsewhere.browser, [])
      const change = { password: 'another good password', password_confirmation: 'another good password' }
      await elsewhere.browser.submit('PATCH', '/settings/password', { ...change, password_challenge: password })
      await kept.untilEnded()
      await openStream(t, app, elsewhere.browser, []) // the session that changed it continues with a new token
    },
    'a reset password': async ({ user }) => forgotten(app, user.id),
    'the deletion of the user': async ({ browser }) =>
      browser.submit('DELETE', '/users', { password_challenge: password }),
  }
  for (const [way, end] of Object.entries(ways)) {
    const member = await join('member')
    const stream = await openStream(t, app, member.browser, [acme])
    await stream.next(isPresence)
    await end(member)
    await stream.untilEnded()
    t.ok(stream.ended, way)
  }
  t.notOk(bystander.ended)
})

t.test('changes made directly in the database are noticed by the next check', async (t) => {
  const { app, db, owner, join } = await liveAcme(t, {}, { liveIntervalMs: 40 })
  const [removed, signedOut] = [await join('member'), await join('member')]
  const [first, second, third] = await Promise.all([
    openStream(t, app, removed.browser, [acme, accountIdentifier(removed.slug)]),
    openStream(t, app, signedOut.browser, [acme]),
    openStream(t, app, owner.browser, [acme]),
  ])
  await first.until(() => first.comments.length > 0)

  await db.execute(sql`delete from memberships where id = ${removed.membershipId}`)
  t.same(await first.next(isRejected), { type: 'reject_subscription', identifier: acme })
  await db.execute(sql`delete from sessions where token = ${signedOut.session}`)
  await second.untilEnded()
  const rounds = third.comments.length
  await third.until(() => third.comments.length > rounds + 1)
  t.notOk(third.ended)
  t.notOk(first.ended)
  t.equal(first.frames.filter(isRejected).length, 1, 'told once')
})
