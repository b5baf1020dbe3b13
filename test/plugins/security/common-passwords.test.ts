import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../../drizzle/schema.ts'
import { digestsFile, markSize } from '../../../plugins/security/common-passwords.ts'
import { digestOf } from '../../../plugins/security/digests.ts'
import { sharedApp, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { password, sidOf, signedIn, signedUp, somebody } from '../../helpers/people.ts'

const common = '1qaz2wsx3edc'
const tooCommon = { password: ['is too common'] }
const twice = (password: string) => ({ password, password_confirmation: password })

t.test('the bundled list has tens of thousands of passwords, sorted', async (t) => {
  const list = readFileSync(digestsFile)
  const marks = Array.from({ length: list.length / markSize }, (_, at) =>
    list.toString('hex', at * markSize, (at + 1) * markSize),
  )
  t.ok(marks.length > 40_000)
  t.same(marks, marks.toSorted())
})

t.test('where common passwords are refused', async (t) => {
  const { app, db } = await startApp(t, { COMMON_PASSWORDS: 'refuse', APP_NAME: 'Acme Accounts' })
  const messages = async (password: string, person = {}) => {
    const browser = await Browser.open(app)
    const body = {
      ...somebody({ name: 'Ada Lovelace', email: 'ada.lovelace@example.com' }),
      ...twice(password),
      ...person,
    }
    const response = await browser.precognize('POST', '/sign_up', body)
    return response.statusCode === 204 ? {} : response.json().errors
  }

  await t.test('nobody can sign up with one', async (t) => {
    for (const listed of [
      common,
      common.toUpperCase(),
      '123456qwerty',
      'qwerty123456',
      'unbelievable',
      '１ｑａｚ２ｗｓｘ３ｅｄｃ',
    ]) {
      t.same(await messages(listed), tooCommon, listed)
    }
  })
  await t.test("nor with the application's name, their own name or their address", async (t) => {
    for (const known of [
      'acmeaccounts',
      'Acme Accounts 1!',
      'Ada Lovelace',
      'lovelaceada2',
      'ada.lovelace@example.com',
      'AdaLovelace-Acme',
      'adaadaadaada',
    ]) {
      t.same(await messages(known), tooCommon, known)
    }
  })
  await t.test('anything else will do', async (t) => {
    for (const fine of ['correct horse battery', 'Ada dances on tables', '1qaz2wsx3edd', 'zzzzzzzzzzzz-not-listed']) {
      t.same(await messages(fine), {}, fine)
    }
    t.same(
      await messages('password'),
      { password: ['is too short (minimum is 12 characters)'] },
      'one reason is enough',
    )
  })
  await t.test('a password cannot be changed or reset to one', async (t) => {
    const { browser, user } = await signedUp(app)
    const change = { ...twice(common), password_challenge: password }
    t.same((await browser.submit('PATCH', '/settings/password', change)).props.errors, tooCommon)
    const stranger = await Browser.open(app)
    const reset = { sid: await sidOf(app, 'password_reset', user.id), ...twice(common) }
    t.same((await stranger.submit('PATCH', '/identity/password_reset', reset)).props.errors, tooCommon)
  })
  await t.test('existing ones still sign in', async (t) => {
    const { person, user } = await signedUp(app)
    await db
      .update(users)
      .set({ passwordDigest: await digestOf(common) })
      .where(eq(users.id, user.id))
    t.equal((await signedIn(app, { ...person, password: common })).page.component, 'accounts/show')
  })
})

t.test('by default they are allowed', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const body = { ...somebody({ name: 'Ada Lovelace' }), ...twice(common) }
  t.equal((await browser.precognize('POST', '/sign_up', body)).statusCode, 204)
  t.equal((await browser.precognize('POST', '/sign_up', { ...body, ...twice('Ada Lovelace') })).statusCode, 204)
})
