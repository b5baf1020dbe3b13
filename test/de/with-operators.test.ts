import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { rendering, sharedApp } from '../helpers/app.ts'
import { operatorUp } from '../helpers/operators.ts'

t.test('operators read each way to sign in in their own language', async (t) => {
  const started = await sharedApp(t, rendering)
  const { browser, user } = await operatorUp(started)
  await started.db.update(users).set({ language: 'de' })
  const { html } = await browser.document(`/admin/users/${user.id}`)
  const shown = html.replace(/<script data-page.*?<\/script>/s, '')
  t.match(shown, 'Anmeldung mit: ')
  t.notMatch(shown, /password|code by mail|second factor/)
})
