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
const known = ['Acme Accounts 1!', 'Ada Lovelace', 'ada.lovelace@example.com', 'AdaLovelace-Acme', 'adaadaadaada']
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

/** The errors of a sign-up of Ada Lovelace with this password. */
async function errorsOf(app: Parameters<typeof Browser.open>[0], password: string) {
  const ada = somebody({ name: 'Ada Lovelace', email: 'ada.lovelace@example.com' })
  const response = await (await Browser.open(app)).precognize('POST', '/sign_up', { ...ada, ...twice(password) })
  return response.statusCode === 204 ? {} : response.json().errors
}

t.test('where common passwords are refused', async (t) => {
  const { app, db } = await startApp(t, { COMMON_PASSWORDS: 'refuse', APP_NAME: 'Acme Accounts' })

  await t.test("nobody can sign up with one, the application's name, their own or their address", async (t) => {
    const listed = [common, common.toUpperCase(), '123456qwerty', 'qwerty123456', 'unbelievable']
    for (const refused of [...listed, '１ｑａｚ２ｗｓｘ３ｅｄｃ', ...known, 'acmeaccounts', 'lovelaceada2'])
      t.same(await errorsOf(app, refused), tooCommon, refused)
  })
  await t.test('anything else will do', async (t) => {
    for (const fine of [password, 'Ada dances on tables', '1qaz2wsx3edd', 'zzzzzzzzzzzz-not-listed'])
      t.same(await errorsOf(app, fine), {}, fine)
    const tooShort = { password: ['is too short (minimum is 12 characters)'] }
    t.same(await errorsOf(app, 'password'), tooShort, 'one reason is enough')
  })
  await t.test('a password cannot be changed or reset to one', async (t) => {
    const { browser, user } = await signedUp(app)
    const change = { ...twice(common), password_challenge: password }
    t.same((await browser.submit('PATCH', '/settings/password', change)).props.errors, tooCommon)
    const reset = { sid: await sidOf(app, 'password_reset', user.id), ...twice(common) }
    const stranger = await Browser.open(app)
    t.same((await stranger.submit('PATCH', '/identity/password_reset', reset)).props.errors, tooCommon)
  })
  await t.test('existing ones still sign in', async (t) => {
    const { person, user } = await signedUp(app)
    const passwordDigest = await digestOf(common)
    await db.update(users).set({ passwordDigest }).where(eq(users.id, user.id))
    t.equal((await signedIn(app, { ...person, password: common })).page.component, 'accounts/show')
  })
})

t.test('by default they are allowed', async (t) => {
  const { app } = await sharedApp(t)
  for (const allowed of [common, 'Ada Lovelace']) t.same(await errorsOf(app, allowed), {}, allowed)
})
