import { and, eq, isNotNull, sql } from 'drizzle-orm'
import t from 'tap'
import { accounts, invitations, memberships, removedMembers, sessions } from '../../drizzle/schema.ts'
import { ssoConnections, ssoDomains, ssoIdentities, ssoPasses } from '../../drizzle/tables/single-sign-on.ts'
import { trustedEmail } from '../../features/single-sign-on/addresses.ts'
import { collectLines } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'
import { leftByResets, undoChange } from '../helpers/endings.ts'
import { begin, comeBack, startIssuer } from '../helpers/issuer.ts'
import { challenge, changeEmail, invite, openGuest, password, signedUp, verifiedUp, verify } from '../helpers/people.ts'
import { mailsOf, recorded, typesOf } from '../helpers/records.ts'
import { codeAt, enable } from '../helpers/second-factor.ts'
import { startSso, userWith } from '../helpers/single-sign-on.ts'

const { lines, logTo } = collectLines()
const started = await startSso(t, { LOG_LEVEL: 'info' }, { logTo })
const { app, db, clock, dns, issuer, company, membershipIn, personAt, proveDomain, connection } = started

const refused = "Single sign-on didn't work. Try again"
const passesOf = (userId: number) =>
  db
    .select()
    .from(ssoPasses)
    .innerJoin(sessions, eq(sessions.token, ssoPasses.sessionToken))
    .where(eq(sessions.userId, userId))
const failureOf = async (accountId: number) =>
  (await db.select().from(ssoConnections).where(eq(ssoConnections.accountId, accountId)))[0]?.failureReason

t.test('the sign-in page leads to the provider of the domain of an address', async (t) => {
  const { domain, slug } = await company()
  const browser = await openGuest(app)
  t.equal((await browser.visit('/sign_in')).props.sso, true)
  t.equal((await browser.visit('/sign_in/sso')).component, 'auth/sso')
  const url = new URL(await begin(browser, { email: ` Anybody@${domain.toUpperCase()}` }, '/sign_in/sso'))
  t.match(Object.fromEntries(url.searchParams), {
    redirect_uri: `http://localhost:3000/sign_in/sso/${slug}/callback`,
    scope: 'openid email profile',
    login_hint: `anybody@${domain}`,
    code_challenge_method: 'S256',
  })
  const { slug: bare, ...unconnected } = await personAt('bare.test')
  await proveDomain(unconnected, bare, 'bare.test')
  for (const email of ['', 'nobody', domain, `bo@sub.${domain}`, 'bo@elsewhere.test', 'bo@bare.test'])
    t.match(await browser.submit('POST', '/sign_in/sso', { email }), {
      component: 'auth/sso',
      props: { errors: { email: ['has no single sign-on'] } },
      flash: {},
    })
})

t.test('opening the page of a workspace starts nothing, and pages without a provider say so', async (t) => {
  const { at, slug, owner } = await company()
  const browser = await openGuest(app)
  const page = await browser.visit(`${at}?return_to=/settings/sessions&start=1&email=bo@acme.test`)
  t.match(page, { component: 'auth/sso-start', props: { slug, return_to: '/settings/sessions' } })
  t.notOk(browser.cookies.has('starts'))
  t.equal((await owner.browser.visit(at)).component, 'auth/sso-start', 'signed-in people, too')
  const hintOf = async (browser: Browser) => new URL(await begin(browser, {}, at)).searchParams.get('login_hint')
  t.equal(await hintOf(owner.browser), owner.person.email)
  t.equal(
    await hintOf((await personAt('elsewhere.test')).browser),
    null,
    'no provider learns the address of a stranger',
  )
  for (const path of ['/sign_in/sso/nothing-here', `/sign_in/sso/${'x'.repeat(50)}`, '/sign_in/sso/nothing/callback'])
    t.match(await browser.visit(path), { component: 'auth/sso', flash: { alert: 'There is no single sign-on' } })
  t.match(await browser.submit('POST', '/sign_in/sso/nothing-here'), { flash: { alert: 'There is no single sign-on' } })
  t.equal((await owner.browser.visit('/sign_in/sso/nothing-here')).component, 'accounts/show')
})

t.test('an unknown person is signed up, verified but not proved, and joins as a member', async (t) => {
  const { account, visit, employee } = await company()
  const bo = employee()
  const { page } = await visit(bo)
  t.match(page, {
    component: 'accounts/show',
    url: `/${account.slug}`,
    flash: { notice: 'Welcome! You have signed up successfully' },
  })
  const user = await userWith(db, bo.email)
  t.match(user, { name: bo.name, verified: true, provedEmail: null, passwordDigest: null })
  const id = user?.id ?? 0
  t.match(await membershipIn(account.id, id), { role: 'member', outside: false })
  const [session] = await db.select().from(sessions).where(eq(sessions.userId, id))
  t.equal(session?.firstFactor, 'sso')
  t.equal((await passesOf(id)).length, 1)
  t.same((await typesOf(db, id)).sort(), ['account_created', 'member_joined', 'signed_up', 'sso_connected'])
  const joined = (await recorded(db)).find(({ type, userId }) => type === 'member_joined' && userId === id)
  t.equal(joined?.details.by, 'sso')
  t.same(await mailsOf(db, id), ['sso_connected'])
  const [saved] = await db.select().from(ssoConnections).where(eq(ssoConnections.accountId, account.id))
  t.ok(saved?.usedAt)

  const nameless = employee()
  await visit({ ...nameless, name: '  ' })
  t.equal((await userWith(db, nameless.email))?.name, nameless.email.split('@')[0])
})

t.test('a known person is signed in, by one factor, and to the page that was asked for', async (t) => {
  const { account, visit, employee } = await company()
  const bo = employee()
  await visit(bo)
  const { browser, page } = await visit({ ...bo, email: 'changed@elsewhere.test' })
  t.match(page, { url: `/${account.slug}`, flash: { notice: 'Signed in successfully' } })
  const there = await visit(bo, { body: { return_to: '/settings/sessions' } })
  t.equal(there.page.props.sessions[0].method, 'sso')
  const { sso } = (await browser.visit('/settings/security')).props
  t.match(sso, [{ account_name: account.name, email: bo.email, created_at: /Z$/, last_used_at: /Z$/ }])
  const exported = await browser.request('POST', '/settings/export', { body: challenge })
  t.same(exported.json().sso, sso, 'which an export has, too')
})

t.test('a second factor is asked for, and the pass comes with the session', async (t) => {
  const { account, owner, ownerThere, visit } = await company()
  await visit(ownerThere, { browser: owner.browser })
  const { secret } = await enable(owner.browser, { clock })
  clock.forward({ seconds: 30 })
  const { browser, page } = await visit(ownerThere)
  t.equal(page.component, 'auth/second-factor')
  const before = (await passesOf(owner.user.id)).length
  const code = await codeAt(secret, clock.now())
  const done = await browser.submit('POST', '/sign_in/verify', { code })
  t.match(done, { url: `/${account.slug}`, flash: { notice: 'Signed in successfully' } })
  t.equal((await passesOf(owner.user.id)).length, before + 1)
  const { method } = (await browser.visit('/settings/sessions')).props.sessions[0]
  t.equal(method, 'sso_and_code')

  clock.forward({ seconds: 30 })
  const halfway = await visit(ownerThere)
  await db.update(ssoIdentities).set({ subject: null }).where(eq(ssoIdentities.userId, owner.user.id))
  const late = await halfway.browser.submit('POST', '/sign_in/verify', { code: await codeAt(secret, clock.now()) })
  t.match(late, { component: 'auth/sign-in', flash: { alert: 'Please sign in again' } }, 'disconnected meanwhile')
})

t.test('the provider has to vouch for an address at a verified domain', async (t) => {
  const { account, visit, employee, domain } = await company()
  const bo = employee()
  const alertFor = async (claims: object) => (await visit({ ...bo, ...claims })).page.flash?.alert
  t.equal(await alertFor({ email: undefined }), 'Your provider vouches for no address')
  t.equal(await failureOf(account.id), 'no_address')
  for (const claim of [false, 'false', 'False', 'no', '', 0, null, {}])
    t.equal(await alertFor({ email_verified: claim }), 'Your provider vouches for no address', JSON.stringify(claim))
  const claims = ({ email: _, ...rest }: object & { email?: unknown }) => ({ ...rest, email_verified: false })
  const { sub, email } = bo
  const { page } = await visit(bo, { lies: { claims, userinfo: { sub, email } } })
  t.equal(page.flash?.alert, 'Your provider vouches for no address', 'the token says so, userinfo the address')
  const foreign = `bo@sub.${domain}`
  t.equal(await alertFor({ email: foreign }), `${foreign} doesn't belong to ${account.name}`)
  t.equal(await failureOf(account.id), 'foreign_address')
  t.equal((await visit({ ...bo, email_verified: undefined })).page.component, 'accounts/show', 'most say nothing')
  t.equal(await failureOf(account.id), null, 'a success ends the failure')
  t.equal((await visit({ ...employee(), email_verified: 'true' })).page.component, 'accounts/show')
})

t.test('a user counts while their own verified address is at a domain of the workspace', async (t) => {
  const { account, visit, employee } = await company()
  const bo = employee()
  await visit(bo)
  const user = await userWith(db, bo.email)
  const { browser } = await visit(bo)
  await changeEmail({ browser }, 'bo@private.test')
  const alert = `Your address here isn't at a domain of ${account.name}`
  t.match(await visit(bo), { page: { component: 'auth/sso-start', flash: { alert } } })
  t.match(await visit(bo, { browser }), { page: { flash: { alert } } }, 'in a session, too')
  await verify(db, user?.id ?? 0)
  t.match(await visit(bo), { page: { flash: { alert } } }, 'verified elsewhere')
})

t.test('an address that somebody verified is connected by a sign-in as that user', async (t) => {
  const { account, at, visit, domain } = await company()
  const ana = await personAt(domain)
  const there = { sub: 'ana', email: ana.person.email }
  const { browser, page } = await visit(there)
  t.match(page, { component: 'auth/sign-in', props: { return_to: at } })
  t.same(page.flash, { alert: `Sign in as ${ana.person.email} once to connect it` })
  t.equal(await db.$count(ssoIdentities, eq(ssoIdentities.userId, ana.user.id)), 0)

  const body = { email: ana.person.email, password, return_to: at }
  t.equal((await browser.submit('POST', '/sign_in', body)).component, 'auth/sso-start')
  const token = browser.cookies.get('session_token')
  t.equal((await visit(there, { browser })).page.url, `/${account.slug}`)
  t.not(browser.cookies.get('session_token'), token, 'the session has a new token')
  t.match(await membershipIn(account.id, ana.user.id), { role: 'member' })
  t.ok((await mailsOf(db, ana.user.id)).includes('sso_connected'))
  t.equal((await visit(there)).page.flash?.notice, 'Signed in successfully')
})

t.test('a user who never verified the address makes way', async (t) => {
  const { visit, domain } = await company()
  const squatter = await signedUp(app, { email: `victim@${domain}` })
  const { page } = await visit({ sub: 'victim', email: `victim@${domain}`, name: 'Victoria' })
  t.match(page, { component: 'accounts/show', props: { auth: { user: { id: squatter.user.id, name: 'Victoria' } } } })
  t.equal((await squatter.browser.visit('/settings/profile')).component, 'auth/sign-in')
  t.match(await userWith(db, `victim@${domain}`), { passwordDigest: null, verified: true, provedEmail: null })
})

t.test('nobody is signed up once the record is gone, but silence changes nothing', async (t) => {
  const { account, visit, employee, domain } = await company()
  const name = `_accounts.${domain}`
  dns.answers.set(name, { code: 2 })
  t.equal((await visit(employee())).page.component, 'accounts/show')
  dns.answers.set(name, { code: 3 })
  const bo = employee()
  t.equal((await visit(bo)).page.flash?.alert, `${domain} is not verified any more`)
  t.equal(await userWith(db, bo.email), undefined)
  t.equal(await failureOf(account.id), 'domain_unverified')
})

t.test('signed in, the identity and the address must be those of the user', async (t) => {
  const { at, visit, employee, domain } = await company()
  const bo = employee()
  await visit(bo)
  const ana = await personAt(domain)
  const alertOf = async (person: { sub: string; email: string }) =>
    (await visit(person, { browser: ana.browser })).page.flash?.alert
  const another = 'Your provider knows somebody else'
  t.equal(await alertOf(bo), another)
  t.equal(await alertOf({ ...bo, email: '' }), another, 'the address that we know is not told')
  t.equal(await alertOf(employee({ email: `free@${domain}` })), another)
  const there = { sub: 'ana-here', email: ana.person.email }
  t.equal((await visit(there, { browser: ana.browser })).page.component, 'accounts/show')
  t.equal(await alertOf({ ...there, sub: 'ana-again' }), `${ana.person.email} is connected to another person there`)

  const unverified = await signedUp(app, { email: `unverified@${domain}` })
  const page = await visit({ sub: 'unverified', email: `unverified@${domain}` }, { browser: unverified.browser })
  t.match(page.page, { url: at, flash: { alert: 'Verify your email first' } })
})

t.test('a pending invitation to the address gives its role, and is accepted', async (t) => {
  const { owner, path, account, visit, employee } = await company()
  const bo = employee()
  await invite(app, owner, path, bo.email, 'admin')
  await visit(bo)
  const user = await userWith(db, bo.email)
  t.match(await membershipIn(account.id, user?.id ?? 0), { role: 'admin' })
  t.same((await owner.browser.visit(`${path}/members`)).props.invitations, [])

  const late = employee()
  await invite(app, owner, path, late.email, 'admin')
  await db.update(invitations).set({ expiresAt: clock.now() }).where(eq(invitations.email, late.email))
  await visit(late)
  const { id = 0 } = (await userWith(db, late.email)) ?? {}
  t.match(await membershipIn(account.id, id), { role: 'member' }, 'one that expired gives none')
})

t.test('who was removed stays removed, also after a disconnection and another provider', async (t) => {
  const { owner, path, account, visit, employee } = await company()
  const bo = employee()
  const { browser } = await visit(bo)
  const id = (await userWith(db, bo.email))?.id ?? 0
  const membership = await membershipIn(account.id, id)
  await owner.browser.submit('DELETE', `${path}/members/${membership?.id}`)
  const again = await visit(bo)
  t.equal(again.page.flash?.notice, 'Signed in successfully')
  t.equal((await again.browser.request('GET', path)).statusCode, 404)

  const { sso } = (await browser.visit('/settings/security')).props
  const gone = await again.browser.submit('DELETE', `/settings/sso/${sso[0].id}`)
  t.same(gone.flash, { notice: 'Single sign-on is disconnected' })
  t.same(gone.props.sso, [])
  t.same(await passesOf(id), [], 'with its passes')
  t.ok((await mailsOf(db, id)).includes('sso_disconnected'))
  await visit(bo, { browser: again.browser })
  t.equal((await again.browser.visit('/settings/security')).props.sso.length, 1, 'connected again')
  t.equal(await membershipIn(account.id, id), undefined)

  await owner.browser.submit('PATCH', `${path}/sso`, { ...connection(), client_id: 'another', ...challenge })
  t.same((await again.browser.visit('/settings/security')).props.sso, [])
  const claims = (honest: object) => ({ ...honest, aud: 'another' })
  await visit(bo, { browser: again.browser, lies: { claims } })
  t.equal((await again.browser.visit('/settings/security')).props.sso.length, 1, 'by another client')
  t.equal(await membershipIn(account.id, id), undefined)
})

t.test('a full person is signed in all the same', async (t) => {
  const { account, visit, domain } = await company()
  const ana = await personAt(domain)
  const rows = await db
    .insert(accounts)
    .values(Array.from({ length: 99 }, (_, n) => ({ name: 'Full', slug: `full-${account.id}-${n}` })))
    .returning()
  await db
    .insert(memberships)
    .values(rows.map(({ id }) => ({ accountId: id, userId: ana.user.id, role: 'member' as const })))
  const { page } = await visit({ sub: 'full', email: ana.person.email }, { browser: ana.browser })
  t.equal(page.flash?.alert, 'You are in 100 workspaces already')
  t.equal(await membershipIn(account.id, ana.user.id), undefined)
  t.equal((await passesOf(ana.user.id)).length, 1)
})

t.test('a start belongs to its workspace, connection and session, and is spent once', async (t) => {
  const one = await company()
  const two = await company()
  const bo = one.employee()
  const browser = await openGuest(app)
  const back = issuer.back(await begin(browser, {}, one.at), bo)
  const elsewhere = back.replace(one.slug, two.slug)
  t.equal((await comeBack(browser, elsewhere)).page.flash?.alert, refused, 'mixed up')
  t.equal(await failureOf(two.account.id), null, 'which is no failure of the other workspace')
  t.equal((await comeBack(browser, back)).page.flash?.alert, refused, 'spent')

  const ana = await personAt(one.domain)
  const mine = issuer.back(await begin(ana.browser, {}, one.at), { sub: 'x', email: ana.person.email })
  const other = await personAt(one.domain)
  other.browser.cookies.set('starts', ana.browser.cookies.get('starts') ?? '')
  t.equal((await comeBack(other.browser, mine)).page.flash?.alert, refused, 'another session')
  const reasons = lines.filter(({ event }) => event === 'sso').map(({ reason }) => reason)
  for (const reason of ['state_of_another_provider', 'state_unknown', 'state_of_another_session'])
    t.ok(reasons.includes(reason), reason)

  const early = await openGuest(app)
  const old = issuer.back(await begin(early, {}, two.at), two.employee())
  const replaced = { ...connection(), client_id: 'another', ...challenge }
  await two.owner.browser.submit('PATCH', `${two.path}/sso`, replaced)
  t.equal((await comeBack(early, old)).page.flash?.alert, refused, 'another connection')

  const late = await openGuest(app)
  const meanwhile = issuer.back(await begin(late, {}, one.at), bo)
  await late.submit('POST', '/sign_in', { email: ana.person.email, password })
  t.equal((await comeBack(late, meanwhile)).response.headers.location, '/', 'signed in meanwhile')
})

t.test('of two tabs that a guest began in, each leads to its own page', async (t) => {
  const { at, path, visit, employee } = await company()
  const bo = employee()
  await visit(bo)
  const browser = await openGuest(app)
  const answers: string[] = []
  for (const return_to of [`${path}/members`, '/settings/profile', undefined])
    answers.push(issuer.back(await begin(browser, return_to ? { return_to } : {}, at), bo))
  const pages: string[] = []
  for (const answer of answers) pages.push((await comeBack(browser, answer)).page.url)
  t.same(pages, [`${path}/members`, '/settings/profile', path])
})

t.test('what follows a sign-in may fail, and the new session is there all the same', async (t) => {
  const { at, owner, ownerThere, visit, employee } = await company()
  const bo = employee()
  await visit(bo)
  await db.execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'too late'; end $$;
    create trigger refuse before update on sso_connections for each row execute function refuse()`)
  t.teardown(() => db.execute(sql`drop function refuse cascade`))
  t.equal((await visit(bo)).page.flash?.notice, 'Signed in successfully', 'a guest')
  t.equal((await visit(employee())).page.component, 'accounts/show', 'who signs up')
  t.equal((await visit(ownerThere, { browser: owner.browser })).page.component, 'accounts/show', 'in a session')
  t.ok(await owner.browser.visit(at).then(({ props }) => props.auth), 'whose new token was sent')

  const member = await userWith(db, bo.email)
  await db.delete(memberships).where(eq(memberships.userId, member?.id ?? 0))
  await db.execute(sql`alter table removed_members rename to unreachable_members`)
  t.teardown(() => db.execute(sql`alter table unreachable_members rename to removed_members`))
  t.equal((await visit(bo)).page.flash?.notice, 'Signed in successfully', 'who is no member')

  const ana = await signedUp(app)
  await db.execute(sql`alter table invitations rename to unreachable`)
  t.teardown(() => db.execute(sql`alter table unreachable rename to invitations`))
  const invited = { email: ana.person.email, password, invitation: 'x'.repeat(43) }
  const browser = await openGuest(app)
  t.equal((await browser.request('POST', '/sign_in', { body: invited })).statusCode, 302)
  t.equal((await browser.visit('/settings/profile')).component, 'settings/profile')
})

t.test('a lying, silent or cancelling provider lets nobody in', async (t) => {
  const { account, at, visit, employee } = await company()
  const page = async (lies: object) => (await visit(employee(), { lies })).page
  t.match(await page({ foreignKey: true }), { component: 'auth/sso-start', url: at, flash: { alert: refused } })
  t.match(await failureOf(account.id), /signature/)
  const silence = {
    instead: { '/token': (response: { writeHead(n: number): { end(): void } }) => response.writeHead(503).end() },
  }
  t.match(await page(silence), { flash: { alert: "Your provider can't be reached. Try again later" } })
  t.equal(await failureOf(account.id), 'it_answers_503')
  const browser = await openGuest(app)
  const asked = new URL(await begin(browser, {}, at)).searchParams
  const cancelled = `${at}/callback?error=access_denied&state=${asked.get('state')}`
  t.match((await comeBack(browser, cancelled)).page, { url: at, flash: { alert: 'You cancelled single sign-on' } })
})

t.test('two workspaces with a provider each do not know the people of the other', async (t) => {
  const second = await startIssuer(t)
  const one = await company()
  const two = await company(second)
  const bo = one.employee()
  await one.visit(bo)
  const { page } = await two.visit({ ...bo, email: two.employee().email })
  t.match(page, { url: `/${two.slug}`, flash: { notice: /Welcome/ } }, 'the same subject is somebody else there')
  t.match((await two.visit({ sub: 'new', email: bo.email })).page.flash, {
    alert: `${bo.email} doesn't belong to ${two.account.name}`,
  })
})

t.test('Google vouches for a domain by hd alone', async (t) => {
  const { account } = await company()
  const [row] = await db.select().from(ssoConnections).where(eq(ssoConnections.accountId, account.id))
  const [domain] = await db.select().from(ssoDomains).where(eq(ssoDomains.accountId, account.id))
  if (!row || !domain) throw new Error('there is no connection')
  const connected = { account, connection: { ...row, issuer: 'https://accounts.google.com' } }
  const email = `bo@${domain.domain}`
  const profile = { provider: { id: 'sso', name: '' }, issuer: '', subject: '1', email, name: null, proved: true }
  await t.rejects(trustedEmail(db, connected, profile), { code: 'foreign_address' })
  await t.rejects(trustedEmail(db, connected, { ...profile, hostedDomain: 'other.test' }), {
    code: 'foreign_address',
  })
  t.equal(await trustedEmail(db, connected, { ...profile, hostedDomain: domain.domain }), email)
})

t.test('a secret that cannot be read is a refusal, such as one of another workspace', async (t) => {
  const { account, at, owner, path } = await company()
  const others = (await company()).account.id
  const [other] = await db.select().from(ssoConnections).where(eq(ssoConnections.accountId, others))
  await db.update(ssoConnections).set({ secret: other?.secret }).where(eq(ssoConnections.accountId, account.id))
  const browser = await openGuest(app)
  t.match(await browser.submit('POST', at), { url: at, flash: { alert: refused } })
  const { failure } = (await owner.browser.visit(`${path}/sso`)).props.connection
  t.match(failure, { at: /Z$/, reason: 'secret_unreadable' })
})

t.test('a reset voids what is older than the verified address, and all if nobody had proved it', async (t) => {
  const { account } = await company()
  const { left, words } = await leftByResets(started, async ({ user: { id: userId } }) => {
    const subject = String(userId)
    await db.insert(ssoIdentities).values({ accountId: account.id, userId, subject, createdAt: app.now() })
    return () => db.$count(ssoIdentities, and(eq(ssoIdentities.userId, userId), isNotNull(ssoIdentities.subject)))
  })
  t.same(left, [0, 1, 0])
  t.same(words[0], { text: 'the single sign-on of {place}', values: { place: account.name } })
})

t.test('what a stranger set up ends with a claim of the address, and with the undo of its change', async (t) => {
  const { visit, domain } = await company()
  const guestOf = async (slug: string) => (await openGuest(app)).visit(`/sign_in/sso/${slug}`)
  const setUp = async (someone: { browser: Browser }, slug: string, other: string) => {
    await proveDomain(someone, slug, other)
    await someone.browser.submit('PATCH', `/${slug}/sso`, { ...connection(), ...challenge })
    t.equal((await guestOf(slug)).component, 'auth/sso-start')
  }
  const squatter = await signedUp(app, { email: `victim@${domain}` })
  await setUp(squatter, squatter.slug, 'squatter.test')
  await visit({ sub: 'victim', email: `victim@${domain}` })
  t.equal((await guestOf(squatter.slug)).component, 'auth/sso')

  const thief = await verifiedUp(app)
  const domains = db.select().from(ssoDomains).where(eq(ssoDomains.domain, 'thief.test'))
  await changeEmail(thief, 'thief@example.com')
  await setUp(thief, thief.slug, 'thief.test')
  await undoChange(app, thief.user.id)
  t.equal((await guestOf(thief.slug)).component, 'auth/sso')
  t.same(await domains, [])
})

t.test('what is only known once a removed member comes back does not let them in as another user either', async (t) => {
  const { account, owner, path, visit, domain, join } = await company()
  const alert = `You were removed from ${account.name}. Ask an owner to invite you`
  const ana = await join()
  await owner.browser.submit('DELETE', `${path}/members/${ana.membershipId}`)
  await visit({ sub: `known-${domain}`, email: ana.person.email }, { browser: ana.browser })
  await ana.browser.submit('DELETE', '/users', challenge)
  const { page } = await visit({ sub: `known-${domain}`, email: `another@${domain}` })
  t.match(page.flash, { alert, notice: 'Welcome! You have signed up successfully' }, 'the subject is known by now')
  const another = await userWith(db, `another@${domain}`)
  t.equal(await membershipIn(account.id, another?.id ?? 0), undefined)
  await visit({ sub: `third-${domain}`, email: `another@${domain}` })
  t.equal(await membershipIn(account.id, another?.id ?? 0), undefined)
})

t.test('who was removed without an identity stays removed, also as another user, until they are invited', async (t) => {
  const { account, owner, path, visit, join } = await company()
  const alert = `You were removed from ${account.name}. Ask an owner to invite you`
  const ana = await join()
  await owner.browser.submit('DELETE', `${path}/members/${ana.membershipId}`)
  const there = { sub: 'removed', email: ana.person.email }
  t.equal((await visit(there, { browser: ana.browser })).page.flash?.alert, alert)
  t.equal(await membershipIn(account.id, ana.user.id), undefined)

  await ana.browser.submit('DELETE', '/users', challenge)
  const { page } = await visit(there)
  t.match(page.flash, { alert, notice: 'Welcome! You have signed up successfully' }, 'the address is known')
  const again = await userWith(db, ana.person.email)
  t.equal(await membershipIn(account.id, again?.id ?? 0), undefined)
  t.notMatch(JSON.stringify(await db.select().from(removedMembers)), ana.person.email)

  await invite(app, owner, path, ana.person.email, 'admin')
  await visit(there)
  t.match(await membershipIn(account.id, again?.id ?? 0), { role: 'admin' })
  t.equal(await db.$count(removedMembers, eq(removedMembers.accountId, account.id)), 0)
})
