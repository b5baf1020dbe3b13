import t from 'tap'
import { sharedApp, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'

const alert = 'That email or password is incorrect'

/** A browser that waits for the alert of a wrong password. */
async function refused({ app }: Pick<Awaited<ReturnType<typeof startApp>>, 'app'>) {
  const browser = await Browser.open(app)
  const body = { email: 'nobody@example.com', password: 'wrong' }
  const { headers } = await browser.request('POST', '/sign_in', { body })
  const line = [headers['set-cookie']].flat().find((each) => each?.startsWith('flash=')) ?? ''
  return { browser, line, cookie: browser.cookies.get('flash') ?? '' }
}

t.test('the flash is in a cookie that is encrypted, out of reach of scripts, and gone once it was shown', async (t) => {
  const { browser, line, cookie } = await refused(await sharedApp(t))
  t.match(line, /^flash=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/)
  t.notMatch(Buffer.from(cookie, 'base64url').toString('latin1'), /incorrect/)
  t.same((await browser.visit('/sign_in')).flash, { alert })
  t.notOk(browser.cookies.has('flash'))
})

t.test('a cookie that was forged, truncated or sealed with another secret is ignored', async (t) => {
  const other = await refused(await startApp(t, { SECRET_KEY_BASE: 'another secret, which is at least as long' }))
  const { browser, cookie: own } = await refused(await sharedApp(t))
  const altered = `${own.startsWith('A') ? 'B' : 'A'}${own.slice(1)}`
  for (const cookie of [other.cookie, own.slice(0, -2), own.slice(0, 20), 'x', altered, '%F0%28']) {
    browser.cookies.set('flash', cookie)
    t.same((await browser.visit('/sign_in')).flash, {}, cookie)
  }
  browser.cookies.set('flash', own)
  t.same((await browser.visit('/sign_in')).flash, { alert })
})
