import t from 'tap'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { loadOf } from '../helpers/load.ts'

t.test('the sign-in page knows passkeys, and loads what talks to the browser about them when wanted', async (t) => {
  const { app } = await sharedApp(t)
  const { scripts } = await loadOf(app, await Browser.open(app), '/sign_in')
  t.match(scripts.source, /passkey/)
  t.notMatch(scripts.source, /navigator\.credentials/)
})
