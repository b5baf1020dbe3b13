import { sql } from 'drizzle-orm'
import t from 'tap'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import { secondFactors } from '../../drizzle/tables/second-factor.ts'
import { startApp } from '../helpers/app.ts'
import { whileLocked } from '../helpers/database.ts'
import { Authenticator, creationOptions } from '../helpers/passkeys.ts'
import { challenge, signedUp, verify } from '../helpers/people.ts'
import { codeAt, start } from '../helpers/second-factor.ts'

const first = { alert: 'Verify your email first' }

const { app, db, clock } = await startApp(t)

t.test('without a verified address no passkey can be added, and no second factor set up', async (t) => {
  const { browser } = await signedUp(app)
  for (const body of [challenge, {}, { password_challenge: 'wrong' }]) {
    const response = await browser.request('POST', '/settings/passkeys/options', { body })
    t.match(response, { statusCode: 422, headers: { 'content-type': /^application\/json/ } })
    t.same(response.json(), { message: 'Verify your email first' })
  }
  for (const [method, path] of [
    ['POST', '/settings/passkeys'],
    ['POST', '/settings/second_factor'],
    ['PATCH', '/settings/second_factor'],
  ] as const) {
    const page = await browser.submit(method, path, { ...challenge, code: '123456', response: {} })
    t.equal(page.url, '/settings/security', `${method} ${path}`)
    t.same(page.flash, first)
  }
  t.equal(await db.$count(secondFactors), 0)
})

t.test('a change of the address in between counts, also when it is not committed yet', async (t) => {
  const { browser, user } = await signedUp(app)
  await verify(db, user.id)
  const options = await creationOptions(browser)
  const { secret } = await start(browser)
  const tries = [
    async () => browser.submit('POST', '/settings/passkeys', { response: new Authenticator().create(options) }),
    async () => browser.submit('PATCH', '/settings/second_factor', { code: await codeAt(secret, clock.now()) }),
  ]
  for (const attempt of tries) {
    const page = await whileLocked(db, sql`update users set verified = false where id = ${user.id}`, attempt)
    t.same(page.flash, first)
    await verify(db, user.id)
  }
  t.equal(await db.$count(passkeys), 0)
})
