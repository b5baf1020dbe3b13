import t from 'tap'
import { Browser } from '../helpers/browser.ts'
import { sharedPerson, signedIn } from '../helpers/people.ts'

const html = { accept: 'text/html' }
const signInTo = (path: string) => `/sign_in?return_to=${encodeURIComponent(path)}`

t.test('a guest who opens an account page returns there after signing in', async (t) => {
  const { app, person, slug } = await sharedPerson(t)
  const path = `/${slug}/members?role=admin`
  const browser = await Browser.open(app)
  t.equal((await browser.send('GET', path, { headers: html })).headers.location, '/sign_in')
  const { page } = await browser.document('/sign_in')
  t.equal(page.component, 'auth/sign-in')
  t.same(page.flash ?? {}, {}, 'the way back is no flash')
  t.equal(page.props.return_to, path)
  t.notOk('return_to' in (await browser.document('/sign_in')).page.props, 'it is told once')

  const wrong = await browser.request('POST', signInTo(path), { body: { ...person, password: 'wrong horse battery' } })
  t.equal(wrong.headers.location, signInTo(path), 'a wrong password does not lose it')
  t.equal((await browser.follow(wrong)).props.return_to, path)
  const right = await browser.request('POST', signInTo(path), { body: person })
  t.equal(right.headers.location, path)
  t.equal((await browser.follow(right)).flash?.notice, 'Signed in successfully')
})

t.test('a sign-in never redirects to another site', async (t) => {
  const { app, person, slug } = await sharedPerson(t)
  const hosts = ['https://evil.example/', '//evil.example', '/\\evil.example', '/%5Cevil.example', '/%2fevil.example']
  const elsewhere = [...hosts, 'javascript:alert(1)', 'http://localhost:3001/', 'http://[', '']
  for (const [index, address] of elsewhere.entries()) {
    const browser = await Browser.open(app, { ip: `192.0.2.${index + 1}` })
    t.notOk('return_to' in (await browser.document(signInTo(address))).page.props, `page: ${address}`)
    t.equal((await browser.request('POST', signInTo(address), { body: person })).headers.location, `/${slug}`, address)
  }
})

t.test('a form submitted without a session returns to its page after signing in', async (t) => {
  const { app, person, browser, session } = await sharedPerson(t)
  const other = await signedIn(app, person)
  await other.browser.submit('DELETE', `/sessions/${session}`)
  const referer = 'http://localhost:3000/settings/profile'
  const signIn = await browser.submit('PATCH', '/settings/profile', { name: 'Ana María' }, { referer })
  t.equal(signIn.props.return_to, '/settings/profile')
})

t.test('sign-outs, prefetches and streams do not set the page to return to', async (t) => {
  const { app, browser, session } = await sharedPerson(t)
  const signedOut = await browser.submit('DELETE', `/sessions/${session}`)
  t.equal(signedOut.component, 'auth/sign-in')
  t.notOk('return_to' in signedOut.props)

  const guest = await Browser.open(app)
  await guest.send('GET', '/settings/profile', { headers: { ...html, purpose: 'prefetch' } })
  const stream = await guest.send('GET', '/live?s=[]', { headers: { accept: 'text/event-stream' } })
  t.equal(stream.headers.location, '/sign_in')
  await guest.send('HEAD', '/settings/profile', { headers: html })
  await guest.send('GET', `/settings/profile?${'x'.repeat(2_000)}`, { headers: html })
  t.notOk(guest.cookies.has('flash'))
})

t.test('who asks for JSON without a session is redirected as well', async (t) => {
  const { app, slug } = await sharedPerson(t)
  const browser = await Browser.open(app)
  const headers = { accept: 'application/json', ...browser.csrfHeader() }
  const paths = ['/dashboard', `/${slug}`, '/settings/profile', '/settings/sessions', '/live?s=[]']
  for (const response of [
    ...(await Promise.all(paths.map((path) => browser.send('GET', path, { headers })))),
    await browser.send('PATCH', '/settings/profile', { body: { name: 'Ada' }, headers }),
    await browser.send('POST', '/live/perform', { body: {}, headers }),
  ])
    t.match(response, { statusCode: 302, headers: { location: '/sign_in', 'cache-control': 'no-cache' } })
  t.notOk('return_to' in (await browser.document('/sign_in')).page.props, 'nothing is kept for a later sign-in')
  t.equal((await browser.send('GET', '/dashboard', { headers: html })).statusCode, 302)
})

t.test('a return path or an invitation that is too long, or given twice, is ignored', async (t) => {
  const { app, person, slug } = await sharedPerson(t)
  const browser = await Browser.open(app)
  const wrong = { email: person.email, password: 'wrong horse battery' }
  const sent = async (body: object, url = '/sign_in') => (await browser.request('POST', url, { body })).headers.location
  for (const url of ['/sign_in', '/sign_up'])
    t.notOk('return_to' in (await browser.document(`${url}?return_to=/a-b-c&return_to=/x-y-z`)).page.props, url)
  for (const path of [`/${'x'.repeat(1_000)}`, `/${'é'.repeat(500)}`]) {
    t.equal(await sent({ ...wrong, return_to: path }), '/sign_in')
    t.equal(await sent({ ...person, name: '', invitation: path, return_to: path }, '/sign_up'), '/sign_up')
  }
  t.equal(await sent({ ...wrong, invitation: 'x'.repeat(44) }), '/sign_in')
  t.equal(await sent({ ...wrong, invitation: 'x'.repeat(43) }), `/sign_in?invitation=${'x'.repeat(43)}`)
  t.equal(await sent({ ...wrong, return_to: ['/a-b-c', '/x-y-z'] }), '/sign_in')
  const longest = `/${'x'.repeat(999)}`
  t.equal(await sent({ ...wrong, return_to: longest }), signInTo(longest))
  t.equal(await sent({ ...person, return_to: `${longest}x` }), `/${slug}`)
})
