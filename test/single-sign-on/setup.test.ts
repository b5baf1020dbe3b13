import { and, eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import { ssoConnections, ssoDomains, ssoSetupLinks } from '../../drizzle/tables/single-sign-on.ts'
import { tokenDigestOf } from '../../features/accounts/received-invitations.ts'
import { addMember, challenge, forgotten, openGuest, password } from '../helpers/people.ts'
import { dump, mailsOf, recorded } from '../helpers/records.ts'
import { startSso } from '../helpers/single-sign-on.ts'

const { app, db, clock, personAt, publish, connection, company } = await startSso(t)

/** A workspace whose owner made a setup link, and a colleague who has it. */
async function setUp(domain = 'linked.test') {
  const owner = await personAt(domain)
  const { props } = await owner.browser.submit('POST', '/accounts', { name: 'Linked' })
  const accountId: number = props.account.id
  const path = `/${props.account.slug}`
  const make = async () => {
    const page = await owner.browser.submit('POST', `${path}/sso/setup_link`, challenge)
    return new URL(page.flash?.sso_setup_link ?? '').pathname
  }
  const link = await make()
  const colleague = await openGuest(app)
  const add = (name: string) => colleague.submit('POST', `${link}/domains`, { domain: name })
  return { owner, accountId, path, make, link, colleague, add }
}

/** Whether nothing of the workspace is seen or changed with this link. */
async function isVoid(link: string) {
  const guest = await openGuest(app)
  const page = await guest.visit(link)
  const before = [await db.$count(ssoDomains), await db.$count(ssoConnections)]
  for (const [method, url, body] of [
    ['PATCH', '', connection()],
    ['POST', '/domains', { domain: 'attack.test' }],
    ['POST', '/domains/looks', {}],
    ['POST', '/domains/1/verification', {}],
  ] as const) {
    const answer = await guest.submit(method, link + url, body)
    if (answer.component !== 'accounts/sso-setup-void') return false
  }
  const after = [await db.$count(ssoDomains), await db.$count(ssoConnections)]
  return page.component === 'accounts/sso-setup-void' && String(before) === String(after)
}

t.test('an owner makes a link with a challenge, which is shown once and stored nowhere', async (t) => {
  const { owner, accountId, path, link } = await setUp()
  const refused = await owner.browser.submit('POST', `${path}/sso/setup_link`, { password_challenge: 'wrong' })
  t.same(refused.props.errors, { password_challenge: ['is invalid'] })
  const page = await owner.browser.visit(`${path}/sso`)
  t.equal(page.flash?.sso_setup_link, undefined)
  t.match(page.props.setup_link, { expires_at: String })
  const token = link.split('/').at(-1) ?? ''
  t.equal(Buffer.from(token, 'base64url').length, 32)
  t.notMatch(await dump(db), token)
  const admin = await addMember(db, accountId, await personAt('linked.test'), 'admin')
  const denied = await admin.browser.submit('POST', `${path}/sso/setup_link`, challenge)
  t.same(denied.flash, { alert: "You don't have permission to do that" })
})

t.test(
  'a guest proves the domain and connects the provider, of which owners learn, and then the link ends',
  async (t) => {
    const { owner, accountId, link, colleague, add } = await setUp('it.test')
    const opened = await colleague.request('GET', link)
    t.match(opened.headers, { 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex' })
    const page = await colleague.visit(link)
    t.equal(page.component, 'accounts/sso-setup')
    const { auth: _, errors: __, ...props } = page.props
    t.match(props, { account_name: 'Linked', domains: [], connection: null, expires_at: String })
    t.notMatch(JSON.stringify(page), owner.person.email)

    t.same((await add('ada@it.test')).props.errors, { domain: ['is invalid'] })
    const added = await add('it.test')
    t.match(added, { component: 'accounts/sso-setup', flash: { notice: 'it.test was added' } })
    const saved = await colleague.submit('PATCH', link, connection())
    t.match(saved, { component: 'accounts/sso-setup', flash: { notice: 'Single sign-on saved' } })
    t.notMatch(JSON.stringify(saved), connection().client_secret)
    t.equal((await colleague.submit('POST', `${link}/domains/looks`)).component, 'accounts/sso-setup', 'nothing yet')
    publish(added.props.domains, 'it.test')
    const [row] = await db.select().from(ssoDomains).where(eq(ssoDomains.accountId, accountId))
    const done = await colleague.submit('POST', `${link}/domains/${row?.id}/verification`)
    t.match(done, { component: 'accounts/sso-setup-void', flash: { notice: 'it.test is verified' } })
    t.ok(await isVoid(link), 'used up')

    const used = (await recorded(db)).filter(
      (each) => each.accountId === accountId && each.type === 'sso_setup_link_used',
    )
    t.match(
      used.map(({ actorId, ipAddress, details }) => [actorId, ipAddress, details]),
      [
        [null, null, { did: 'domain_added', domain: 'it.test' }],
        [null, null, { did: 'sso_saved' }],
        [null, null, { did: 'domain_verified', domain: 'it.test' }],
      ],
    )
    const mails = await mailsOf(db, owner.user.id)
    t.equal(mails.filter((name) => name === 'sso_changed').length, 3, 'the owner who made it, too')
  },
)

t.test('a link that was cut, replaced, withdrawn or has expired is worth nothing', async (t) => {
  const { owner, path, make, link } = await setUp()
  t.ok(await isVoid(link.slice(0, -20)))
  t.ok(await isVoid(`${link}x`))
  t.ok(await isVoid('/invitations/sso/unknown'))
  const next = await make()
  t.ok(await isVoid(link), 'replaced')
  const withdrawn = await owner.browser.submit('DELETE', `${path}/sso/setup_link`)
  t.match(withdrawn, { flash: { notice: 'Setup link withdrawn' }, props: { setup_link: null } })
  t.ok(await isVoid(next))
  const last = await make()
  clock.forward({ days: 7, minutes: 1 })
  t.ok(await isVoid(last), 'expired')
  clock.forward({ days: -7, minutes: -1 })
})

t.test('a link does nothing to another workspace, and nothing besides', async (t) => {
  const other = await company()
  const { link, path, colleague } = await setUp()
  const [theirs] = await db.select().from(ssoDomains).where(eq(ssoDomains.accountId, other.account.id))
  t.equal((await colleague.request('POST', `${link}/domains/${theirs?.id}/verification`)).statusCode, 404)
  for (const [method, url] of [
    ['DELETE', link],
    ['DELETE', `${link}/domains/1`],
    ['PATCH', `${link}/requirement`],
    ['POST', `${link}/setup_link`],
  ] as const)
    t.equal((await colleague.request(method, url, { body: { required: true } })).statusCode, 404, url)
  t.equal((await colleague.visit(`${path}/sso`)).component, 'auth/sign-in')
  await db.update(accounts).set({ requireSingleSignOn: true }).where(eq(accounts.id, other.account.id))
  const link2 = await linkOf(other)
  const page = await colleague.submit('PATCH', link2, { ...connection(), client_id: 'another' })
  t.same(page.flash, { alert: 'Stop requiring single sign-on first' })
  await db.update(accounts).set({ requireSingleSignOn: false }).where(eq(accounts.id, other.account.id))
})

/** Inserted, since a workspace that requires single sign-on opens to nobody here. */
async function linkOf({ account, owner }: { account: { id: number }; owner: { user: { id: number } } }) {
  const isTheirs = and(eq(memberships.accountId, account.id), eq(memberships.userId, owner.user.id))
  const [membership] = await db.select().from(memberships).where(isTheirs)
  const token = `of-${account.id}`
  const times = { createdAt: clock.now(), expiresAt: new Date(clock.now().getTime() + 60_000) }
  const values = { accountId: account.id, membershipId: membership?.id ?? 0, tokenDigest: tokenDigestOf(token) }
  await db.insert(ssoSetupLinks).values({ ...values, ...times })
  return `/invitations/sso/${token}`
}

t.test('it ends with the rights of who made it, and with the workspace', async (t) => {
  const { owner, accountId, link } = await setUp()
  const isOwner = and(eq(memberships.accountId, accountId), eq(memberships.userId, owner.user.id))
  await db.update(memberships).set({ role: 'admin' }).where(isOwner)
  t.ok(await isVoid(link), 'an owner no more')
  await db.update(memberships).set({ role: 'owner' }).where(isOwner)
  t.notOk(await isVoid(link))

  const one = await setUp()
  const { membershipId } = await addMember(db, one.accountId, await personAt('linked.test'))
  await one.owner.browser.submit('DELETE', `${one.path}/members/${membershipId}`)
  t.ok(await isVoid(one.link), 'a removed member may know it')

  const squatted = await setUp()
  const { id } = squatted.owner.user
  await db.update(users).set({ provedEmail: null }).where(eq(users.id, id))
  await forgotten(app, id)
  t.ok(await isVoid(squatted.link), 'whoever made it had not proved the address')

  const deleted = await setUp()
  await deleted.owner.browser.submit('DELETE', deleted.path, { password_challenge: password })
  t.ok(await isVoid(deleted.link), 'the workspace is gone')
})
