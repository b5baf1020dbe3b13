import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { startApp } from '../helpers/app.ts'
import { begin, comeBack } from '../helpers/issuer.ts'
import { openGuest } from '../helpers/people.ts'

// What Google, Microsoft, GitLab and GitHub answer, without asking them.

type Answers = Record<string, (sent: Headers) => unknown>

const { publicKey, privateKey } = await generateKeyPair('RS256')
const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }] }
const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad'
let count = 0

async function startWith(t: Test, environment: Record<string, string>, answers: Answers) {
  const fetch: typeof globalThis.fetch = async (url, options) => {
    const answer = answers[String(url)]
    if (!answer) throw new Error(`nobody is at ${url}`)
    return Response.json(await answer(new Headers(options?.headers)))
  }
  const { app, db } = await startApp(t, environment, { fetch })

  /** Goes there and back. `prepare` is called in between. */
  async function signInWith(id: string, prepare: (asked: URLSearchParams) => void) {
    const browser = await openGuest(app)
    const authorization = new URL(await begin(browser, {}, `/sign_in/with/${id}`))
    prepare(authorization.searchParams)
    const back = `/sign_in/with/${id}/callback?code=given&state=${authorization.searchParams.get('state')}`
    const { page } = await comeBack(browser, back)
    return { authorization, browser, page }
  }
  return { app, db, signInWith }
}

/** A provider of OpenID whose next token has these claims. */
function openId(issuer: string, at = issuer) {
  const next: { claims: JWTPayload } = { claims: {} }
  const answers: Answers = {
    [`${at}/.well-known/openid-configuration`]: () => ({
      issuer,
      authorization_endpoint: `${at}/authorize`,
      token_endpoint: `${at}/token`,
      jwks_uri: `${at}/keys`,
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    [`${at}/keys`]: () => keys,
    [`${at}/token`]: async () => ({
      access_token: 'access',
      token_type: 'Bearer',
      id_token: await new SignJWT(next.claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'own' })
        .setAudience('ours')
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey),
    }),
  }
  const withClaims = (claims: JWTPayload) => (asked: URLSearchParams) => {
    next.claims = { iss: issuer, nonce: asked.get('nonce'), sub: `subject-${++count}`, name: 'Bo', ...claims }
  }
  return { answers, withClaims }
}

t.test('Google vouches for its own addresses and those of its hosted domains, and for no other', async (t) => {
  const google = openId('https://accounts.google.com')
  const settings = { GOOGLE_CLIENT_ID: 'ours', GOOGLE_CLIENT_SECRET: 'secret' }
  const { signInWith } = await startWith(t, settings, google.answers)
  const proved = async (claims: JWTPayload) => (await signInWith('google', google.withClaims(claims))).page.props.proved
  t.equal(await proved({ email: 'bo@gmail.com', email_verified: true }), true)
  t.equal(await proved({ email: 'bo@company.example', email_verified: true, hd: 'company.example' }), true)
  t.equal(await proved({ email: 'bo@company.example', email_verified: true }), false)
  t.equal(await proved({ email: 'bo@gmail.com', email_verified: false }), false)
  t.equal(await proved({ email: 'bo@gmail.com.evil.example', email_verified: true }), false)
})

t.test('Microsoft vouches for an address only where its domain was verified, or the tenant is the one', async (t) => {
  const of = (id: string) => ({ iss: `https://login.microsoftonline.com/${id}/v2.0`, tid: id, email: 'bo@example.com' })
  const settings = { MICROSOFT_CLIENT_ID: 'ours', MICROSOFT_CLIENT_SECRET: 'secret' }
  const at = (path: string) => `https://login.microsoftonline.com/${path}/v2.0`
  const open = openId('https://login.microsoftonline.com/{tenantid}/v2.0', at('common'))
  const common = await startWith(t, settings, open.answers)
  const signInFrom = async (claims: JWTPayload) => (await common.signInWith('microsoft', open.withClaims(claims))).page
  t.match(await signInFrom(of(tenant)), { component: 'auth/provider', props: { proved: false } })
  t.match(await signInFrom({ ...of(tenant), email_verified: true }), { props: { proved: false } })
  for (const edov of [true, 1, '1']) {
    t.match(await signInFrom({ ...of(tenant), xms_edov: edov }), { props: { proved: true } }, JSON.stringify(edov))
  }
  t.match(await signInFrom({ ...of(tenant), xms_edov: 'true' }), { props: { proved: false } })
  t.match((await signInFrom({ ...of(tenant), tid: consumers })).flash, { alert: "Microsoft didn't work. Try again" })

  const own = openId(at(tenant))
  const single = await startWith(t, { ...settings, MICROSOFT_TENANT: tenant.toUpperCase() }, own.answers)
  const signInAt = async (claims: JWTPayload) => (await single.signInWith('microsoft', own.withClaims(claims))).page
  t.match(await signInAt(of(tenant)), { component: 'auth/provider', props: { proved: true } })
  t.match((await signInAt(of(consumers))).flash, { alert: "Microsoft didn't work. Try again" }, 'a foreign tenant')
})

t.test('GitLab vouches for addresses that it verified', async (t) => {
  const url = 'https://gitlab.example.com'
  const gitlab = openId(url)
  const settings = { GITLAB_CLIENT_ID: 'ours', GITLAB_CLIENT_SECRET: 'secret', GITLAB_URL: `${url}/` }
  const { signInWith } = await startWith(t, settings, gitlab.answers)
  for (const proved of [true, false]) {
    const claims = { email: 'bo@example.com', email_verified: proved }
    const { page } = await signInWith('gitlab', gitlab.withClaims(claims))
    t.match(page.props, { provider: { id: 'gitlab', name: 'GitLab' }, email: 'bo@example.com', proved })
  }
})

t.test('GitHub is asked for the number of the person, and vouches for a verified primary address', async (t) => {
  const settings = { GITHUB_CLIENT_ID: 'ours', GITHUB_CLIENT_SECRET: 'secret' }
  const person = { id: 583231, login: 'bo', name: null }
  const said: { token: object; user: object; emails: unknown } = { token: {}, user: {}, emails: [] }
  const sent: (string | null)[] = []
  const told = (what: () => unknown) => (headers: Headers) => {
    sent.push(headers.get('authorization'))
    return what()
  }
  const { signInWith } = await startWith(t, settings, {
    'https://github.com/login/oauth/access_token': () => said.token,
    'https://api.github.com/user': told(() => said.user),
    'https://api.github.com/user/emails': told(() => said.emails),
  })
  const arriveWith = (
    emails: unknown,
    user: object = person,
    token: object = { access_token: 'access', token_type: 'bearer' },
  ) => signInWith('github', () => Object.assign(said, { token, user, emails }))
  const address = { email: 'bo@example.com', primary: true, verified: true }
  const other = { email: 'other@example.com', primary: false, verified: true }

  const { authorization, browser, page } = await arriveWith([other, address])
  t.equal(authorization.origin + authorization.pathname, 'https://github.com/login/oauth/authorize')
  t.equal(authorization.searchParams.get('scope'), 'read:user user:email')
  t.match(page.props, { email: 'bo@example.com', name: 'bo', proved: true, taken: false })
  t.same(new Set(sent), new Set(['Bearer access']))
  const joined = await browser.submit('POST', '/sign_up/with/github', { name: 'Bo' })
  t.match(joined.props.auth.user, { email: 'bo@example.com', verified: true })

  const again = await arriveWith([{ ...address, email: 'moved@example.com' }])
  t.equal(again.page.flash?.notice, 'Signed in successfully', 'the number is the person, whatever the address')
  t.match((await arriveWith([{ ...address, verified: false }], { ...person, id: 2 })).page.props, { proved: false })
  t.match((await arriveWith([other], { ...person, id: 3 })).page.props, { email: null, proved: false })

  const alert = "GitHub didn't work. Try again"
  for (const user of [{}, { ...person, id: '583231' }, { ...person, id: 1.5 }]) {
    t.equal((await arriveWith([address], user)).page.flash?.alert, alert, JSON.stringify(user))
  }
  t.equal((await arriveWith({ message: 'no' })).page.flash?.alert, alert)
  const refused = { error: 'bad_verification_code' } // with status 200, as GitHub does
  t.equal((await arriveWith([address], person, refused)).page.flash?.alert, alert)
})
