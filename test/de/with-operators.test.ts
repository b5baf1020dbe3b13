import { globSync, readFileSync } from 'node:fs'
import t from 'tap'
import { activities, users } from '../../drizzle/schema.ts'
import { rendering, sharedApp } from '../helpers/app.ts'
import { operatorUp } from '../helpers/operators.ts'

/** The page lists no others. `Mails` is a type, so they are read from its text. */
const mailsToUsers = globSync('features/**/*.ts')
  .flatMap((file) => readFileSync(file, 'utf8').match(/interface Mails [\s\S]*?\n {2}\}/g) ?? [])
  .flatMap((block) => [...block.matchAll(/^ {4}(\w+): (?:\w+Ids|\{.*\b(?:userId|email):)/gm)])
  .map(([, name]) => name)

t.test('operators read ways to sign in, mails and what other operators did in their own language', async (t) => {
  const started = await sharedApp(t, rendering)
  const { browser, user } = await operatorUp(started)
  await started.db.update(users).set({ language: 'de' })
  const boss = await started.app.jobs.boss()
  await boss.send('dead_jobs', { job: 'password_reset', email: user.email })
  await boss.send('dead_jobs', { job: 'of_a_product', userId: user.id })
  for (const job of mailsToUsers) await boss.send('dead_jobs', { job, userId: user.id })
  const ended = { type: 'sessions_ended', actorName: 'An operator', userId: user.id, details: { name: 'Ada' } }
  await started.db.insert(activities).values(ended)
  const { html } = await browser.document(`/admin/users/${user.id}`)
  const shown = html.replace(/<script data-page.*?<\/script>/s, '')
  t.match(shown, 'Anmeldung mit: ')
  t.notMatch(shown, /password|code by mail|second factor/)
  t.match(shown, 'Passwort zurücksetzen')
  const words = shown.replaceAll(/<[^>]*>|[\u2068\u2069]/g, '')
  t.ok(mailsToUsers.includes('user_deleted'))
  t.match(words, 'Mitteilung: of_a_product')
  t.notMatch(words, /Mitteilung: (?!of_a_product)/)
  t.match(words, 'Ein Betreiber hat alle Sitzungen von Ada beendet')
})
