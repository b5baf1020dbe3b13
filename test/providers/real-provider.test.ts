import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { begin, comeBack } from '../helpers/issuer.ts'
import { startProvider } from '../helpers/real-provider.ts'

const provider = await startProvider(t)
provider.serve('http://localhost:3000')
const { app } = await startApp(t, provider.environment)

/** Presses a button at the provider, as a browser would. Returns where that leads to. */
async function choose(authorization: string, sub: string) {
  const cookies = new Map<string, string>()
  let url = authorization
  let body: URLSearchParams | undefined
  for (;;) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      body: body ?? null,
      redirect: 'manual',
      headers: { cookie },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = response.headers.get('location')
    const next = location ? new URL(location, url) : undefined
    if (!next && body) throw new Error(`${response.status} ${await response.text()}`)
    if (next?.pathname.endsWith('/callback')) return next.pathname + next.search
    body = next ? undefined : new URLSearchParams({ sub })
    url = next ? next.href : url
  }
}

let count = 0
async function comeAs(sub: string) {
  const browser = await Browser.open(app, { ip: `198.18.9.${++count}` })
  return { browser, ...(await comeBack(browser, await choose(await begin(browser), sub))) }
}

t.test('a certified provider signs a person up, and in again', async (t) => {
  const { browser, page } = await comeAs('ada')
  t.match(page.props, { name: 'Ada Abel', email: 'ada@example.com', proved: true })
  t.equal((await browser.submit('POST', '/sign_up/with/oidc', { name: 'Ada' })).component, 'accounts/show')
  t.same((await comeAs('ada')).page.flash, { notice: 'Signed in successfully' })
})

t.test('a certified provider says that an address is not verified, or that there is none', async (t) => {
  t.match((await comeAs('bo')).page.props, { email: 'bo@example.com', proved: false })
  t.match((await comeAs('cleo')).page.props, { email: null, name: 'Cleo Chen', proved: false })
})

t.test('somebody who cancels at a certified provider is told so', async (t) => {
  t.same((await comeAs('')).page.flash, { alert: 'You cancelled Acme ID' })
})
