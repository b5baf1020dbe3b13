import t from 'tap'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { loadOf } from '../helpers/load.ts'
import { sharedAcme } from '../helpers/people.ts'

t.test('the sign-in page loads at most 125 kB of scripts and 12 kB of styles', async (t) => {
  const { app } = await sharedApp(t)
  const { scripts, styles } = await loadOf(app, await Browser.open(app), '/sign_in')
  t.ok(scripts.files > 1 && scripts.files <= 6)
  t.equal(styles.files, 1)
  t.ok(scripts.bytes <= 125_000, `${scripts.bytes} bytes of JavaScript`)
  t.ok(styles.bytes <= 12_000, `${styles.bytes} bytes of styles`)
})

t.test('the pages of an account load at most 230 kB of JavaScript', async (t) => {
  const { app, owner } = await sharedAcme(t)
  for (const path of ['/acme', '/acme/members', '/acme/settings', '/settings/profile', '/settings/security']) {
    const { scripts } = await loadOf(app, owner.browser, path)
    t.ok(scripts.bytes <= 230_000, `${path}: ${scripts.bytes} bytes of JavaScript`)
  }
})

t.test('a page that hardly anybody sees is loaded beside the scripts, and with no other page', async (t) => {
  const { app, owner } = await sharedAcme(t)
  const { html } = await owner.browser.document('/settings/sessions')
  t.match(html, /<link rel="modulepreload"[^>]*\/sessions\.rare\.page/)
  t.notMatch((await (await Browser.open(app)).document('/sign_in')).html, /\.rare\.page/)
})
