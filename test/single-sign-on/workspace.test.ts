import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, sessions } from '../../drizzle/schema.ts'
import { ssoConnections, ssoDomains, ssoIdentities, ssoPasses } from '../../drizzle/tables/single-sign-on.ts'
import { rendering, sharedApp } from '../helpers/app.ts'
import { serve } from '../helpers/issuer.ts'
import { addMember, challenge, openGuest, signedIn, signedUp } from '../helpers/people.ts'
import { dump, mailsOf, recorded, typesOf } from '../helpers/records.ts'
import { startSso } from '../helpers/single-sign-on.ts'

const { app, db, dns, issuer, personAt, publish, proveDomain, connection, company } = await startSso(t)

/** A workspace of a person at this domain, without single sign-on. */
async function workspace(domain = 'elsewhere.test') {
  const owner = await personAt(domain)
  const { props } = await owner.browser.submit('POST', '/accounts', { name: 'Acme' })
  const path = `/${props.account.slug}`
  const add = (domain: string) => owner.browser.submit('POST', `${path}/sso/domains`, { domain })
  const idOf = async (domain: string) => {
    const { domains } = (await owner.browser.visit(`${path}/sso`)).props
    return domains.find((each: { domain: string }) => each.domain === domain)?.id
  }
  const verify = async (domain: string) =>
    owner.browser.submit('POST', `${path}/sso/domains/${await idOf(domain)}/verification`)
  const save = (more: object) =>
    owner.browser.submit('PATCH', `${path}/sso`, { ...connection(), ...challenge, ...more })
  return {
    owner,
    path,
    slug: props.account.slug as string,
    accountId: props.account.id as number,
    add,
    idOf,
    verify,
    save,
  }
}

t.test('owners alone see the page and change what is there', async (t) => {
  const { owner, path, slug } = await workspace()
  const { component, props } = await owner.browser.visit(`${path}/sso`)
  t.equal(component, 'accounts/sso')
  t.match(props, {
    domains: [],
    suggestion: 'elsewhere.test',
    connection: null,
    passed: false,
    required: false,
    callback_url: `http://localhost:3000/sign_in/sso/${slug}/callback`,
    start_url: `http://localhost:3000/sign_in/sso/${slug}`,
  })
  const { owner: other, slug: theirs } = await company()
  const admin = await addMember(db, props.account.id, await personAt('elsewhere.test'), 'admin')
  for (const [method, url] of [
    ['GET', `${path}/sso`],
    ['PATCH', `${path}/sso`],
    ['DELETE', `${path}/sso`],
    ['PATCH', `${path}/sso/requirement`],
    ['POST', `${path}/sso/domains`],
    ['DELETE', `${path}/sso/domains/1`],
  ] as const) {
    const page = await admin.browser.submit(method, url, { required: true })
    t.match(page, { component: 'accounts/show', flash: { alert: "You don't have permission to do that" } }, url)
  }
  const foreign = await other.browser.request('POST', `/${theirs}/sso/domains/999999/verification`)
  t.equal(foreign.statusCode, 404)
})

t.test('a workspace of several people has a tab for it, and a personal one has none', async (t) => {
  const { browser, slug } = await signedUp((await sharedApp(t, rendering)).app)
  const shared = (await browser.submit('POST', '/accounts', { name: 'Acme' })).props.account.slug
  for (const [workspace, has] of [[shared, true] as const, [slug, false] as const]) {
    const { html } = await browser.document(`/${workspace}`)
    t.match(html, `href="/${workspace}/members"`, 'the tabs are there')
    t.equal(html.includes(`href="/${workspace}/sso"`), has, workspace)
  }
})

t.test('a domain is added once, in lower case with A-labels, and ten at most', async (t) => {
  const { owner, path, add } = await workspace()
  t.same((await add(' ')).props.errors, { domain: ["can't be blank"] })
  for (const wrong of ['acme', 'https://acme.test', 'ana@acme.test', '192.0.2.1', `${'a.'.repeat(130)}test`])
    t.same((await add(wrong)).props.errors, { domain: ['is invalid'] }, wrong)
  const page = await add('MÜNCHEN.Test')
  t.same(page.flash, { notice: 'xn--mnchen-3ya.test was added' })
  t.equal(page.component, 'accounts/sso')
  t.match(page.props.domains, [
    {
      domain: 'xn--mnchen-3ya.test',
      verified_at: null,
      record: { name: '_accounts.xn--mnchen-3ya.test', value: /^accounts-domain=[\w-]{32}$/ },
    },
  ])
  t.same((await add('münchen.test')).props.errors, { domain: ['has already been added'] })
  for (let n = 1; n < 10; n++) await add(`acme-x${n}.test`)
  t.same((await add('eleventh.test')).flash, { alert: 'You have 10 domains already' })
  const { domains } = (await owner.browser.visit(`${path}/sso`)).props
  const names = domains.map((each: { domain: string }) => each.domain)
  t.same(names, [...Array.from({ length: 9 }, (_, n) => `acme-x${n + 1}.test`), 'xn--mnchen-3ya.test'], 'by name')
})

t.test('nobody adds a domain where everybody has addresses', async (t) => {
  const { add } = await workspace()
  t.same((await add('GMail.com')).flash, { alert: 'Nobody can prove gmail.com' })
})

t.test('a domain is verified by its record, and only an answer without it says that it is not there', async (t) => {
  const { owner, add, verify } = await workspace()
  const { props } = await add('proved.test')
  const absent = { alert: "The record isn't there yet. It can take an hour" }
  t.same((await verify('proved.test')).flash, absent)
  dns.answers.set('_accounts.proved.test', { texts: [['accounts-domain=another']] })
  const another = await verify('proved.test')
  t.same(another.flash, absent)
  t.match(another.props.domains, [{ missed: { at: String, other_value: 'accounts-domain=another' } }])
  dns.answers.set('_accounts.proved.test', { code: 2 })
  t.same((await verify('proved.test')).flash, { alert: "DNS can't be reached. Try again later" })
  publish(props.domains, 'proved.test')
  const page = await verify('proved.test')
  t.same(page.flash, { notice: 'proved.test is verified' })
  t.match(page.props.domains, [{ verified_at: String, missed: null }])
  const types = (await recorded(db)).filter(({ actorId }) => actorId === owner.user.id).map(({ type }) => type)
  t.same(types.slice(-2), ['domain_added', 'domain_verified'])
})

t.test('an open page looks for all records that are not there yet, and says only what it found', async (t) => {
  const { owner, path, add } = await workspace()
  for (const domain of ['late.test', 'soon.test', 'later.test']) await add(domain)
  const look = () => owner.browser.submit('POST', `${path}/sso/domains/looks`)
  const before = await look()
  t.same(before.flash, {})
  t.match(
    before.props.domains.map(({ missed }: { missed: object }) => missed),
    Array(3).fill({ other_value: null }),
  )
  publish(before.props.domains, 'soon.test')
  dns.answers.set('_accounts.later.test', { code: 2 })
  const page = await look()
  t.same(page.flash, { notice: 'soon.test is verified' })
  t.match(
    page.props.domains.map(({ domain, verified_at }: { domain: string; verified_at: string }) => [domain, verified_at]),
    [
      ['late.test', null],
      ['later.test', null],
      ['soon.test', String],
    ],
  )
})

t.test('a verified domain belongs to one workspace, and moves once the record of the other is gone', async (t) => {
  const one = await workspace('moving.test')
  const other = await workspace()
  t.same((await proveDomain(one.owner, one.slug, 'moving.test')).flash, { notice: 'moving.test is verified' })
  const name = '_accounts.moving.test'
  const recordAt = async ({ owner, path }: typeof one) =>
    (await owner.browser.visit(`${path}/sso`)).props.domains[0].record.value
  await other.add('moving.test')
  t.same((await other.verify('moving.test')).flash, { alert: "The record isn't there yet. It can take an hour" })

  dns.answers.set(name, { texts: [[await recordAt(one)], [await recordAt(other)]] })
  t.same((await other.verify('moving.test')).flash, { alert: 'moving.test belongs to another workspace' })

  await db.update(accounts).set({ requireSingleSignOn: true }).where(eq(accounts.id, one.accountId))
  dns.answers.set(name, { texts: [[await recordAt(other)]] })
  t.same((await other.verify('moving.test')).flash, { notice: 'moving.test is verified' })
  const rows = await db.select().from(ssoDomains).where(eq(ssoDomains.domain, 'moving.test'))
  t.same(
    rows.map(({ accountId, verifiedAt }) => [accountId, verifiedAt !== null]).sort(),
    [
      [one.accountId, false],
      [other.accountId, true],
    ].sort(),
    'their row stays',
  )
  const moved = (await recorded(db)).find(({ type }) => type === 'domain_moved')
  t.match(moved, { accountId: one.accountId, actorId: null, ipAddress: null, details: { domain: 'moving.test' } })
  t.ok((await mailsOf(db, one.owner.user.id)).includes('domain_moved'))
  const [account] = await db.select().from(accounts).where(eq(accounts.id, one.accountId))
  t.ok(account?.requireSingleSignOn, 'what they require stays required')
})

t.test('a domain of another workspace does not move while its record cannot be looked up', async (t) => {
  const one = await workspace('silent.test')
  const other = await workspace()
  await proveDomain(one.owner, one.slug, 'silent.test')
  await other.add('silent.test')
  const { record } = (await other.owner.browser.visit(`${other.path}/sso`)).props.domains[0]
  let looks = 0
  // The second look is for theirs.
  Object.defineProperty(dns.answers, 'get', {
    configurable: true,
    value: (name: string) => (name === record.name && looks++ > 0 ? { code: 2 } : { texts: [[record.value]] }),
  })
  t.teardown(() => Reflect.deleteProperty(dns.answers, 'get'))
  t.same((await other.verify('silent.test')).flash, { alert: "DNS can't be reached. Try again later" })
})

t.test('two workspaces that verify a domain at once do not both get it', async (t) => {
  const both = [await workspace(), await workspace()]
  const values: string[][] = []
  for (const { add } of both) values.push([(await add('raced.test')).props.domains[0].record.value])
  dns.answers.set('_accounts.raced.test', { texts: values })
  const flashes = await Promise.all(both.map(async ({ verify }) => (await verify('raced.test')).flash))
  t.same(flashes.map((flash) => flash?.notice ?? flash?.alert).sort(), [
    'raced.test belongs to another workspace',
    'raced.test is verified',
  ])
})

t.test('a domain is removed, but not the last verified one while single sign-on is required', async (t) => {
  const { account, owner, path, domain, require } = await company()
  const idOf = async () => (await owner.browser.visit(`${path}/sso`)).props.domains[0].id
  await require()
  const refused = await owner.browser.submit('DELETE', `${path}/sso/domains/${await idOf()}`)
  t.same(refused.flash, { alert: 'Stop requiring single sign-on first' })
  await owner.browser.submit('PATCH', `${path}/sso/requirement`, { required: false, ...challenge })
  const page = await owner.browser.submit('DELETE', `${path}/sso/domains/${await idOf()}`)
  t.same(page.flash, { notice: `${domain} was removed` })
  t.same(page.props.domains, [])
  t.match((await recorded(db)).at(-1), { type: 'domain_removed', accountId: account.id, details: { domain } })
})

t.test('a provider is saved after a challenge, and its secret is shown nowhere', async (t) => {
  const { owner, path, save } = await workspace()
  const empty = await owner.browser.submit('PATCH', `${path}/sso`, {})
  const blank = ["can't be blank"]
  t.same(empty.props.errors, {
    issuer: blank,
    client_id: blank,
    client_secret: blank,
    password_challenge: ['is invalid'],
  })
  t.same((await save({ password_challenge: 'wrong' })).props.errors, { password_challenge: ['is invalid'] })
  const page = await save({})
  t.same(page.flash, { notice: 'Single sign-on saved' })
  const { client_id, client_secret, issuer: url } = connection()
  t.match(page.props.connection, { issuer: url, client_id, used_at: null, failure: null })
  t.notMatch(JSON.stringify(page), client_secret)
  t.notMatch(await dump(db), client_secret)
  t.ok((await recorded(db)).some(({ type, actorId }) => type === 'sso_saved' && actorId === owner.user.id))
})

t.test('an issuer is refused unless it is the provider that its address says', async (t) => {
  const errorsOf = async (url: string) => (await (await workspace()).save({ issuer: url })).props.errors.issuer
  const parts = [`${issuer.url}?x=1`, `${issuer.url}#x`, 'https://ana:secret@x.test']
  for (const wrong of ['login.invalid', 'http://example.com', 'ftp://x.test', `https://${'x'.repeat(500)}`, ...parts])
    t.same(await errorsOf(wrong), ['is invalid'], wrong)
  t.same(await errorsOf('http://127.0.0.1:1'), ["can't be reached"])
  t.same(await errorsOf(await serve(t, (_request, response) => response.writeHead(503).end())), ["can't be reached"])

  const notProvider = ['is not an OpenID provider']
  for (const path of ['/other', '/.well-known/openid-configuration'])
    t.same(await errorsOf(issuer.url + path), notProvider, 'nothing is there')
  const redirect = await serve(t, (request, response) => {
    response.writeHead(302, { location: `${issuer.url}${request.url}` }).end()
  })
  t.same(await errorsOf(redirect), notProvider, 'a redirect')
  for (const lie of [
    { issuer: 'https://evil.example' },
    { token_endpoint: 'http://evil.example/token' },
    { authorization_endpoint: 'javascript:alert(1)' },
    { jwks_uri: undefined },
    { userinfo_endpoint: 'http://evil.example/userinfo' },
  ]) {
    issuer.state.metadata = lie
    t.same(await errorsOf(issuer.url), notProvider, JSON.stringify(lie))
  }
  issuer.state.metadata = { issuer: `${issuer.url}${'/.'.repeat(250)}` }
  t.same(await errorsOf(issuer.url), ['is invalid'], 'in more than 500 characters')
  issuer.state.metadata = { issuer: `${issuer.url}/` }
  const { props } = await (await workspace()).save({ issuer: issuer.url })
  t.equal(props.connection.issuer, `${issuer.url}/`, 'as the provider writes it')
  issuer.state.metadata = {}
})

t.test('a secret or a client ID that the provider refuses is not saved', async (t) => {
  const { save, accountId } = await workspace()
  for (const error of ['invalid_client', 'unauthorized_client']) {
    issuer.state.instead = { '/token': (response) => response.writeHead(401).end(JSON.stringify({ error })) }
    t.same((await save({})).flash, { alert: 'The provider refused the client ID or the secret' })
  }
  t.equal(await db.$count(ssoConnections, eq(ssoConnections.accountId, accountId)), 0)
  issuer.state.instead = { '/token': (response) => response.writeHead(503).end() }
  t.same((await save({})).flash, { notice: 'Single sign-on saved' }, 'what is not about them says nothing')
  issuer.state.instead = {}
})

t.test('a failure is counted until it works again or an owner dismisses it', async (t) => {
  const { owner, path, visit, employee } = await company()
  const failure = async () => (await owner.browser.visit(`${path}/sso`)).props.connection.failure
  for (let n = 0; n < 2; n++) await visit(employee({ email: 'bo@elsewhere.test' }))
  t.match(await failure(), { reason: 'foreign_address', count: 2 })
  const page = await owner.browser.submit('DELETE', `${path}/sso/failure`)
  t.match(page, { component: 'accounts/sso', props: { connection: { failure: null } } })
  await visit(employee({ email: 'bo@elsewhere.test' }))
  t.match(await failure(), { count: 1 })
  await visit(employee())
  t.equal(await failure(), null)
})

t.test('who tries it comes back to a page that says that it works', async (t) => {
  const { owner, path, at, ownerThere, visit, slug } = await company()
  t.equal((await owner.browser.visit(`${path}/sso/tried`)).url, `${path}/sso`, 'not before')
  t.equal((await owner.browser.visit(`${path}/sso`)).props.passed, false)
  const body = { return_to: `/${slug}/sso/tried` }
  t.equal((await owner.browser.visit(`${at}?return_to=${body.return_to}`)).props.return_to, body.return_to)
  const { page } = await visit(ownerThere, { browser: owner.browser, body })
  t.equal(page.component, 'accounts/sso-tried')
  t.equal((await owner.browser.visit(`${path}/sso`)).props.passed, true)
})

t.test('no private address is asked, unless the operator allows it', async (t) => {
  const { personAt, connection } = await startSso(t, { SSO_PRIVATE_ISSUERS: 'refuse' })
  const { browser, slug } = await personAt('acme.test')
  const errorsOf = async (url: string) => {
    const page = await browser.submit('PATCH', `/${slug}/sso`, { ...connection(), issuer: url, ...challenge })
    return page.props.errors.issuer
  }
  t.same(await errorsOf(issuer.url), ['is invalid'], 'http')
  t.same(await errorsOf('https://169.254.169.254'), ["can't be reached"])
})

t.test('a blank secret keeps that of the same provider and client alone', async (t) => {
  const { save, accountId } = await workspace()
  await save({})
  const row = async () => (await db.select().from(ssoConnections).where(eq(ssoConnections.accountId, accountId)))[0]
  const before = await row()
  t.same((await save({ client_secret: '' })).flash, { notice: 'Single sign-on saved' })
  t.same(await row(), before)
  const blank = { client_secret: ["can't be blank"] }
  t.same((await save({ client_secret: '', client_id: 'another' })).props.errors, blank)
  await save({ client_secret: 'another secret' })
  t.equal((await row())?.id, before?.id, 'another secret is no other connection')
})

t.test('another client is another connection: passes and subjects of the old one are void', async (t) => {
  const { owner, path, account, visit, ownerThere, require, employee } = await company()
  const bo = employee()
  await visit(bo)
  await require()
  const other = { ...connection(), client_id: 'another', ...challenge }
  const refused = await owner.browser.submit('PATCH', `${path}/sso`, other)
  t.same(refused.flash, { alert: 'Stop requiring single sign-on first' })
  t.same((await owner.browser.submit('DELETE', `${path}/sso`, challenge)).flash, refused.flash)

  await owner.browser.submit('PATCH', `${path}/sso/requirement`, { required: false, ...challenge })
  await owner.browser.submit('PATCH', `${path}/sso`, other)
  const identities = await db.select().from(ssoIdentities).where(eq(ssoIdentities.accountId, account.id))
  t.same(
    identities.map(({ subject }) => subject),
    [null, null],
  )
  const passes = await db
    .select()
    .from(ssoPasses)
    .innerJoin(sessions, eq(sessions.token, ssoPasses.sessionToken))
    .where(eq(sessions.userId, owner.user.id))
  t.same(passes, [])
  t.notOk(await visit(ownerThere, { browser: owner.browser }).then(({ page }) => page.flash?.notice))
})

t.test('a removed provider ends the sessions that began with it', async (t) => {
  const { owner, slug, path, visit, employee, ownerThere } = await company()
  const { browser } = await visit(employee())
  await visit(ownerThere, { browser: owner.browser })
  const byPassword = await signedIn(app, owner.person)
  const unproved = await owner.browser.submit('DELETE', `${path}/sso`)
  t.same(unproved.props.errors, { password_challenge: ['is invalid'] })
  const page = await owner.browser.submit('DELETE', `${path}/sso`, challenge)
  t.match(page, { component: 'accounts/sso', props: { connection: null }, flash: { notice: 'Single sign-on removed' } })
  t.equal((await browser.visit('/settings/profile')).component, 'auth/sign-in')
  t.equal((await byPassword.browser.visit('/settings/profile')).component, 'settings/profile')
  t.match(await openSso(slug), { component: 'auth/sso', flash: { alert: 'There is no single sign-on' } })
  t.equal(
    (await owner.browser.visit(`/sign_in/sso/${slug}`)).component,
    'accounts/show',
    'who is signed in is led home',
  )
})

t.test("an owner's own session ends with the provider that began it", async (t) => {
  const { owner, path, visit, ownerThere } = await company()
  await visit(ownerThere, { browser: owner.browser })
  const { browser } = await visit(ownerThere)
  const page = await browser.submit('DELETE', `${path}/sso`, challenge)
  t.equal(page.component, 'auth/sign-in')
  const remaining = await db.select().from(sessions).where(eq(sessions.userId, owner.user.id))
  t.same(
    remaining.map(({ firstFactor }) => firstFactor),
    ['password'],
  )
})

async function openSso(slug: string) {
  return (await openGuest(app)).visit(`/sign_in/sso/${slug}`)
}

t.test('the activity of a workspace says what was changed', async (t) => {
  const { account, owner, path, require } = await company()
  await require()
  await owner.browser.submit('PATCH', `${path}/sso/requirement`, { required: false, ...challenge })
  await owner.browser.submit('DELETE', `${path}/sso`, challenge)
  const types = (await recorded(db)).filter(({ accountId }) => accountId === account.id).map(({ type }) => type)
  t.same(types, ['account_created', 'sso_required', 'sso_not_required', 'sso_removed'])
  t.ok((await typesOf(db, owner.user.id)).includes('sso_connected'))
})
