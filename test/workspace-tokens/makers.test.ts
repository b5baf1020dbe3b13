import { and, eq, inArray } from 'drizzle-orm'
import t from 'tap'
import { invitations, users } from '../../drizzle/schema.ts'
import { workspaceTokens } from '../../drizzle/tables/workspace-tokens.ts'
import { createUser } from '../../features/auth/sign-up.ts'
import { suspend, unsuspend } from '../../features/auth/suspension.ts'
import { invitee } from '../helpers/api.ts'
import { startApp } from '../helpers/app.ts'
import { challenge, forgotten, password, verifiedUp } from '../helpers/people.ts'
import { forgetMails, mailsOf, queuedMails, recorded } from '../helpers/records.ts'
import { type Received, startSmtp } from '../helpers/smtp.ts'
import { acmeWithTokens } from '../helpers/workspace-tokens.ts'

const demo = 'demo@example.com'
const smtp = await startSmtp(t)
const { app, db, clock, url: database } = await startApp(t, smtp.environment)
type Acme = Awaited<ReturnType<typeof acmeWithTokens>>
type Token = Awaited<ReturnType<Acme['create']>>

const tokenMails = async (userId: number) =>
  (await mailsOf(db, userId)).filter((mail) => String(mail).startsWith('workspace_token_'))

/** Whether the invitation that this token sends is still there after something happened. */
async function sends({ api }: Acme, { send }: Token) {
  const { id } = (await send('POST', `${api}/invitations`, invitee())).json()
  return async () => (await db.$count(invitations, eq(invitations.id, id))) > 0
}

async function startMade(role: 'owner' | 'admin' = 'admin') {
  const acme = await acmeWithTokens(app)
  const maker = await acme.joinVerified(role)
  const token = await acme.create(maker)
  return { ...acme, maker, token, isSent: await sends(acme, token) }
}
type Made = Awaited<ReturnType<typeof startMade>>

const endings: Record<string, (made: Made) => Promise<unknown>> = {
  leaves: ({ maker, path }) => maker.browser.submit('DELETE', `${path}/members/${maker.membershipId}`),
  'is removed': ({ owner, maker, path }) => owner.browser.submit('DELETE', `${path}/members/${maker.membershipId}`),
  'is removed by a program': ({ create, maker }) =>
    create().then(({ status }) => status('DELETE', `/members/${maker.membershipId}`)),
  'is demoted': ({ owner, maker, path }) =>
    owner.browser.submit('PATCH', `${path}/members/${maker.membershipId}`, { role: 'member' }),
  'is deleted': ({ maker }) => maker.browser.submit('DELETE', '/users', challenge),
}

for (const [what, end] of Object.entries(endings))
  t.test(`when its maker ${what}, a token goes on, but lets nobody in or out until it is rolled`, async (t) => {
    const made = await startMade()
    const { owner, token, maker, url, api, list, join, isSent } = made
    await made.create(maker)
    const [victim, other] = [await join('member'), await acmeInvitation(made)]
    await end(made)
    const isIt = ({ id }: { id: number }) => id === token.id
    const shown = (await list()).find(isIt)
    t.match(shown, { orphaned: true, blocked: false })
    t.equal(shown.created_by, what === 'is deleted' ? null : maker.person.name)
    t.notOk(await isSent(), 'what it sent is withdrawn')
    const told = (await tokenMails(owner.user.id)).filter((mail) => mail === 'workspace_token_kept')
    t.equal(told.length, 1, 'one mail for both')

    const { status } = token
    const refused = [
      await status('POST', '/invitations', invitee()),
      await status('POST', '/invitations', { email: 'nonsense', role: 'member' }),
      await status('DELETE', `/invitations/${other}`),
      await status('PATCH', `/members/${victim.membershipId}`, { role: 'admin' }),
      await status('DELETE', `/members/${victim.membershipId}`),
    ]
    t.same(refused, [403, 403, 403, 403, 403])
    for (const below of ['', '/members', '/invitations', '/activity']) t.equal(await status('GET', below), 200, below)
    t.equal(await status('PATCH', '', { name: 'Apex' }), 200)

    const rolled = await owner.browser.submit('POST', `${url}/${token.id}/roll`, challenge)
    t.match(rolled.props.tokens[0], { orphaned: false, created_by: owner.person.name })
    const headers = { authorization: `Bearer ${rolled.flash?.token}` }
    const payload = invitee()
    const invited = await app.inject({ method: 'POST', url: `/api/v1${api}/invitations`, headers, payload })
    t.equal(invited.statusCode, 201, 'a manager who rolls it is its maker from then on')
  })

/** An invitation that somebody else sent. */
async function acmeInvitation({ owner, path }: Acme) {
  const page = await owner.browser.submit('POST', `${path}/invitations`, invitee())
  return page.props.invitations[0].id as number
}

t.test('while its maker is suspended it is blocked, and what it sent is withdrawn', async (t) => {
  const { token, maker, owner, list, isSent, api, create } = await startMade('owner')
  const others = await create()
  await db.transaction((tx) => suspend(app, tx, maker.user.id, null))
  t.match(
    (await list()).find(({ id }: { id: number }) => id === token.id),
    { blocked: true, orphaned: false },
  )
  t.notOk(await isSent())
  t.equal((await token.send('GET', '/me')).statusCode, 200)
  t.equal((await token.send('GET', '/accounts')).json().data.length, 1)
  for (const below of ['', '/members', '/invitations', '/activity', '/members/1'])
    t.equal(await token.status('GET', below), below === '/members/1' ? 404 : 403, below)
  t.equal((await token.send('PATCH', api, { name: 'Apex' })).statusCode, 403)
  t.equal(await others.status('GET'), 200)
  t.same((await tokenMails(owner.user.id)).at(-1), 'workspace_token_blocked')
  await db.transaction((tx) => unsuspend(app, tx, maker.user.id))
  t.equal(await token.status('GET'), 200)
})

t.test(
  'what is pending goes when a token is revoked, is handed on when it is rolled, and outlives its end',
  async (t) => {
    const acme = await acmeWithTokens(app)
    const { owner, url, path, create } = acme
    const [revoked, rolled, expiring] = [await create(), await create(), await create(owner, { days: 7 })]
    const [ofRevoked, ofRolled] = [await sends(acme, revoked), await sends(acme, rolled)]
    await owner.browser.submit('DELETE', `${url}/${revoked.id}`)
    t.notOk(await ofRevoked())
    const [latest] = (await owner.browser.visit(`${path}/activity?kind=members`)).props.activities
    t.match(latest, { type: 'invitation_revoked', actor_name: owner.person.name })

    const { props } = await owner.browser.submit('POST', `${url}/${rolled.id}/roll`, challenge)
    await owner.browser.submit('DELETE', `${url}/${rolled.id}`)
    t.ok(await ofRolled(), 'the successor answers for it')
    await owner.browser.submit('DELETE', `${url}/${props.tokens[0].id}`)
    t.notOk(await ofRolled())

    clock.forward({ days: 6 })
    const ofExpiring = await sends(acme, expiring)
    clock.forward({ days: 2 })
    t.equal((await expiring.send('GET', '/me')).statusCode, 401)
    t.ok(await ofExpiring())
  },
)

t.test('what takes the tokens of a person takes those that they made or rolled for workspaces', async (t) => {
  const { token, maker, account, owner, create, url, list, isSent } = await startMade()
  clock.forward({ minutes: 1 })
  const theirs = await create()
  const later = clock.now()
  await maker.browser.submit('POST', `${url}/${theirs.id}/roll`, challenge)
  await db.update(users).set({ verifiedAt: later }).where(eq(users.id, maker.user.id))
  await forgotten(app, maker.user.id)
  t.notOk(
    (await list()).some(({ id }: { id: number }) => id === token.id),
    'those of before',
  )
  t.equal((await list()).length, 2, 'but not what was rolled later, nor what others made')
  t.notOk(await isSent())
  t.equal((await token.send('GET', '/me')).statusCode, 401)

  await db.update(users).set({ provedEmail: null }).where(eq(users.id, maker.user.id))
  await forgotten(app, maker.user.id, 'another fresh password')
  t.same(
    (await list()).map(({ id }: { id: number }) => id),
    [theirs.id],
    'all of them, if the address is only proved now',
  )
  const revoked = (await recorded(db)).filter(
    ({ type, accountId }) => type === 'workspace_token_revoked' && accountId === account.id,
  )
  t.match(revoked, [{ actorName: null, ipAddress: null }, { actorName: null }])
  t.same((await tokenMails(owner.user.id)).slice(-2), ['workspace_token_revoked', 'workspace_token_revoked'])
})

t.test('a claim takes all tokens of the accounts that the claimed user owns', async (t) => {
  const acme = await acmeWithTokens(app)
  const admin = await acme.joinVerified('admin')
  const tokens = [await acme.create(), await acme.create(admin)]
  const { email, id } = acme.owner.user
  await db.update(users).set({ verified: false, verifiedAt: null, provedEmail: null }).where(eq(users.id, id))
  const factors = { firstFactor: 'provider' } as const
  const client = { ipAddress: '203.0.113.7', userAgent: 'a browser' }
  await createUser(app, { name: 'Grace', email, passwordDigest: null, isVerified: true, factors }, client)
  for (const { send } of tokens) t.equal((await send('GET', '/me')).statusCode, 401)
})

t.test('the managers are told seven days before the end, once, and what expired is swept after a month', async (t) => {
  const { owner, create, joinVerified, account, url } = await acmeWithTokens(app)
  const [admin, unverified] = [await joinVerified('admin'), await joinVerified('admin')]
  const member = await joinVerified('member')
  await db.update(users).set({ verified: false }).where(eq(users.id, unverified.user.id))
  await create(owner, { days: 7 })
  const { id } = await create(owner, { days: 30 })
  await create(admin, { days: 30 })
  clock.forward({ days: 22 })
  await owner.browser.submit('POST', `${url}/${id}/roll`, challenge)
  const warned = async () => {
    await app.jobs.run('warn_of_expiry')
    const warnings = (await queuedMails(db)).filter(({ mail }) => mail === 'workspace_token_expires')
    return warnings.map(({ userId }) => userId).toSorted()
  }
  const before = await warned()
  clock.forward({ days: 1, minutes: 1 })
  const concerned = [...before, owner.user.id, admin.user.id].toSorted()
  t.same(await warned(), concerned, 'neither of a short-lived one nor of one with a successor')
  t.same(await warned(), concerned)
  t.notOk(concerned.includes(member.user.id))

  clock.forward({ days: 36 })
  await app.sweeper.sweep()
  t.equal(await db.$count(workspaceTokens, eq(workspaceTokens.accountId, account.id)), 2, 'a month after the end')
  clock.forward({ days: 40 })
  await app.sweeper.sweep()
  t.equal(await db.$count(workspaceTokens, eq(workspaceTokens.accountId, account.id)), 0)
})

t.test('its mails say what happened, by whom, and lead to the page', async (t) => {
  await forgetMails(db)
  await app.jobs.startWorkers()
  const { owner, maker, token, url, path, create, joinVerified } = await startMade()
  const place = 'Acme'
  /** In whatever order they come. */
  async function mailWith(subject: string, sentence: string, to?: string) {
    const isIt = ({ text = '', ...mail }: Received) =>
      mail.subject === subject && text.replaceAll(/\s+/g, ' ').includes(sentence) && (!to || mail.recipient === to)
    for (;;) {
      const found = smtp.mails.find(isIt)
      if (found) return found
      await smtp.next()
    }
  }
  const expect = async (subject: string, sentence: string) => {
    const { text = '' } = await mailWith(subject, sentence, owner.person.email)
    t.ok(text.includes(`${path}/tokens`), 'leads to the page')
  }
  const { html } = await mailWith(`${place} invited you to ${place} on Acme Accounts`, 'Acme invited you to')
  t.match(html, 'lang="en"', 'in the first language')
  await expect(`A token of ${place} was created`, `${maker.person.name} created a token of ${place}.`)
  await owner.browser.submit('POST', `${url}/${token.id}/roll`, challenge)
  await expect(`A token of ${place} was created`, `${owner.person.name} rolled a token of ${place}`)
  await owner.browser.submit('DELETE', `${path}/members/${maker.membershipId}`)
  await expect(`A token that ${maker.person.name} made still works`, `${maker.person.name} manages ${place} no longer.`)
  await owner.browser.submit('DELETE', `${url}/${token.id}`)
  await expect(`A token of ${place} was revoked`, `${owner.person.name} revoked a token of ${place}.`)

  const suspended = await joinVerified('admin')
  await create(suspended, { days: 30 })
  await db.transaction((tx) => suspend(app, tx, suspended.user.id, null))
  await expect(`A token that ${suspended.person.name} made is blocked`, `${suspended.person.name} is suspended`)
  const deleted = await joinVerified('admin')
  await create(deleted)
  await deleted.browser.submit('DELETE', '/users', challenge)
  await expect('A token that a deleted user made still works', `a deleted user manages ${place} no longer.`)
  clock.forward({ days: 24 })
  await app.jobs.run('warn_of_expiry')
  await expect(`A token of ${place} expires soon`, `programs with this token can no longer act as ${place}`)
})

t.test('the demo user makes none', async (t) => {
  const environment = { DATABASE_URL: database, DEMO_ADMIN_EMAIL: demo, DEMO_ADMIN_PASSWORD: password }
  const { app: shown } = await startApp(t, environment)
  const { browser, slug } = await verifiedUp(shown, { email: demo })
  const body = { name: 'CI', role: 'member', scope: 'read', ...challenge }
  t.equal((await browser.submit('POST', `/${slug}/tokens`, body)).flash?.alert, 'The demo user connects nothing')
})

t.test(
  'off, the page is the 404 page and tokens get 401; on again they work, but for what ended meanwhile',
  async (t) => {
    const acme = await startMade()
    const { create, owner, url, token, maker, isSent } = acme
    const kept = await create()
    const { app: off } = await startApp(t, { WORKSPACE_TOKENS: 'off', DATABASE_URL: database })
    const headers = { authorization: `Bearer ${kept.secret}` }
    t.equal((await off.inject({ url: '/api/v1/me', headers })).statusCode, 401)
    const browser = owner.browser.copy(off)
    for (const [method, path] of [
      ['GET', url],
      ['POST', url],
      ['DELETE', `${url}/${kept.id}`],
    ] as const)
      t.equal((await browser.request(method, path)).statusCode, 404, method)
    const { paths, components } = (await off.inject({ url: '/api/v1/openapi.json' })).json()
    t.same(Object.keys(components.securitySchemes), ['token'])
    t.notOk(paths['/api/v1/me'].get.responses[200].content['application/json'].schema.anyOf)

    await db.update(users).set({ provedEmail: null }).where(eq(users.id, maker.user.id))
    await forgotten(off, maker.user.id)
    t.equal((await kept.send('GET', '/me')).statusCode, 200)
    t.equal((await token.send('GET', '/me')).statusCode, 401, 'a reset took it')
    t.notOk(await isSent())
    const left = and(inArray(workspaceTokens.id, [kept.id, token.id]))
    t.equal(await db.$count(workspaceTokens, left), 1)
  },
)
