import { hash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { recoveryCodes, secondFactors } from '../../drizzle/tables/second-factor.ts'
import { startApp } from '../helpers/app.ts'
import { register } from '../helpers/passkeys.ts'
import { challenge } from '../helpers/people.ts'
import { forgetMails, linksIn, mailsOf, queuedMails, recorded, typesOf } from '../helpers/records.ts'
import {
  codeAt,
  enable,
  recoveryCodesOf,
  sessionsOf,
  withSecondFactor,
  wrongCodeErrors,
} from '../helpers/second-factor.ts'
import { startSmtp } from '../helpers/smtp.ts'

const { app, clock, db } = await startApp(t)

t.test('one code used five times concurrently signs in once', async (t) => {
  const { halfway, code, recoveryCodes: codes, user } = await withSecondFactor({ app, clock })
  for (const [round, typed] of [await code(), codes[0]].entries()) {
    const browsers = await Promise.all(Array.from({ length: 5 }, halfway))
    const answers = await Promise.all(browsers.map(({ prove }) => prove(typed)))
    t.equal(answers.filter(({ headers }) => headers.location !== '/sign_in').length, 1, 'the others start over')
    t.equal((await sessionsOf(db, user.id)).length, round + 2)
  }
})

t.test('a time step is accepted once, that of the confirmation included, and none before it', async (t) => {
  const { halfway, code, secret } = await withSecondFactor({ app, clock })
  const confirmation = await codeAt(secret, new Date(clock.now().getTime() - 30_000))
  t.same((await (await halfway()).submit(confirmation)).props.errors, wrongCodeErrors)

  const used = await code()
  const next = await codeAt(secret, new Date(clock.now().getTime() + 30_000))
  t.equal((await (await halfway()).submit(next)).component, 'accounts/show', 'a clock may be ahead')
  t.same((await (await halfway()).submit(used)).props.errors, wrongCodeErrors, 'and what came before it is over')
  for (let step = 0; step < 3; step++) {
    t.same((await (await halfway()).submit(next)).props.errors, wrongCodeErrors, `${step} steps later`)
    clock.forward({ seconds: 30 })
  }
  t.equal((await (await halfway()).submit(await code())).component, 'accounts/show')
})

t.test('a recovery code works once, and a mail and the page that it leads to tell how many are left', async (t) => {
  const { halfway, recoveryCodes: codes, user } = await withSecondFactor({ app, clock })
  await forgetMails(db)
  const { browser, submit } = await halfway()
  t.match(await submit(codes[3]), { component: 'accounts/show', props: { recovery_codes_left: 9 } })
  t.equal((await browser.visit('/settings/security')).props.second_factor.recovery_codes_left, 9)
  t.same(await mailsOf(db, user.id), ['recovery_code_used'])
  t.same((await (await halfway()).submit(codes[3])).props.errors, wrongCodeErrors)
  t.equal((await recoveryCodesOf(db, user.id)).length, 9)
  t.same(await typesOf(db, user.id), [
    'signed_up',
    'account_created',
    'second_factor_enabled',
    'recovery_code_used',
    'signed_in',
  ])
})

t.test('a recovery code of 24 characters, from before, still works', async (t) => {
  const { halfway, user } = await withSecondFactor({ app, clock })
  const older = 'ABCDEFGHIJKLMNOPQRSTUVWX'
  await db.insert(recoveryCodes).values({ userId: user.id, digest: hash('sha256', older, 'base64url') })
  t.equal((await (await halfway()).submit('abcd-efgh ijkl-mnop qrst-uvwx')).component, 'accounts/show')
})

t.test('ten wrong codes lock the factor, however many pending sign-ins there are', async (t) => {
  const { halfway, code, wrong: other, user, recoveryCodes: codes } = await withSecondFactor({ app, clock })
  const guess = await other()
  const browsers = await Promise.all(Array.from({ length: 15 }, halfway))
  const answers = await Promise.all(browsers.map(({ prove }) => prove(guess)))
  const refused = answers.filter(({ headers }) => headers['retry-after'])
  t.equal(refused.length, 5, 'what came after the tenth was not even looked at')

  const { browser, prove } = await halfway()
  const response = await prove(await code())
  t.equal(response.headers.location, '/sign_in/verify')
  const seconds = Number(response.headers['retry-after'])
  t.ok(seconds > 880 && seconds <= 900, `${seconds} seconds`)
  t.same((await browser.follow(response)).flash, { alert: 'Try again later.' })
  const json = { body: { code: await code() }, headers: { accept: 'application/json' } }
  t.equal((await browser.request('POST', '/sign_in/verify', json)).statusCode, 429)

  await t.test('does not block recovery codes, which cannot be guessed', async (t) => {
    t.equal((await (await halfway()).submit(codes[0])).component, 'accounts/show')
    t.equal((await (await halfway()).submit(await code())).component, 'accounts/show', 'and the count begins anew')
  })
  await t.test('is over after a quarter of an hour', async (t) => {
    await db.update(secondFactors).set({ wrongCodes: 9 }).where(eq(secondFactors.userId, user.id))
    const last = await halfway()
    t.same((await last.submit(guess)).props.errors, wrongCodeErrors)
    clock.forward({ seconds: 30 })
    t.same((await last.submit(await code())).flash, { alert: 'Try again later.' })
    await db.update(secondFactors).set({ lockedUntil: sql`now()` }).where(eq(secondFactors.userId, user.id))
    t.equal((await last.submit(await code())).component, 'accounts/show')
  })
})

t.test('every further ten wrong codes in a row lock for twice as long, at most a day', async (t) => {
  const { halfway, code, wrong, user, recoveryCodes } = await withSecondFactor({ app, clock })
  await forgetMails(db)
  const factor = eq(secondFactors.userId, user.id)
  const lockAgain = async () => {
    const [row] = await db.select().from(secondFactors).where(factor)
    const wrongCodes = (row?.wrongCodes ?? 0) + 9
    await db.update(secondFactors).set({ wrongCodes, lockedUntil: null }).where(factor)
    const { prove } = await halfway()
    t.same((await prove(await wrong())).headers['retry-after'], undefined, 'the tenth is still looked at')
    return Number((await prove(await code())).headers['retry-after'])
  }
  for (const minutes of [15, 30, 60, 120, 240, 480, 960, 1440, 1440, 1440]) {
    const seconds = await lockAgain()
    t.ok(seconds > minutes * 60 - 60 && seconds <= minutes * 60, `${seconds} of ${minutes} minutes`)
  }
  const locks = (await recorded(db)).filter(({ userId, type }) => userId === user.id && type === 'second_factor_locked')
  t.equal(locks.length, 10)
  t.match(locks[0], { actorId: null, actorName: null, ipAddress: /^198/ })
  t.same(await mailsOf(db, user.id), Array(10).fill('second_factor_locked'))

  await t.test('until a code is right', async (t) => {
    t.equal((await (await halfway()).submit(recoveryCodes[0])).component, 'accounts/show')
    const seconds = await lockAgain()
    t.ok(seconds > 14 * 60 && seconds <= 15 * 60, `${seconds} seconds`)
  })
})

t.test('changes, and a lock, are mailed to a verified address only, without links that act', async (t) => {
  const smtp = await startSmtp(t)
  const { app, clock, db } = await startApp(t, smtp.environment)
  const { browser, person, user, halfway, wrong, recoveryCodes } = await withSecondFactor({ app, clock })
  const lock = async (verified: boolean) => {
    await db.update(users).set({ verified })
    await db.update(secondFactors).set({ wrongCodes: 9, lockedUntil: null })
    await (await halfway()).submit(await wrong())
  }
  const [{ id }] = (await register(browser)).props.passkeys
  await forgetMails(db)
  await lock(false)
  t.same(await queuedMails(db), [])

  await lock(true)
  await register(browser)
  await browser.submit('DELETE', `/settings/passkeys/${id}`, challenge)
  await (await halfway()).submit(recoveryCodes[0])
  await browser.submit('DELETE', '/settings/second_factor', challenge)
  const { secret } = await enable(browser, { clock })

  await app.jobs.startWorkers()
  const mails = []
  while (mails.length < 7) mails.push(await smtp.next())
  t.same(mails.map(({ subject }) => subject).sort(), [
    'A passkey was added',
    'A passkey was removed',
    'A recovery code was used',
    'New sign-in to Acme Accounts',
    'Somebody knows your password',
    'Two-factor authentication is off',
    'Two-factor authentication is on',
  ])
  for (const { subject, to, text, html, source } of mails) {
    t.equal(to?.[0]?.address, person.email, `${subject}`)
    t.match(text, `Hello ${user.name},`)
    const isLock = subject === 'Somebody knows your password'
    if (isLock) t.match(text, /Change your password now, here and anywhere else you use it/)
    const toPassword = isLock ? '/identity/password_reset/new' : '/settings/password'
    const links = ['/', toPassword, '/settings/sessions'].map((path) => `http://localhost:3000${path}`)
    t.same(linksIn(html), links, 'to a new password first, and none that acts')
    t.match(text, /^Time: .+ UTC\nDevice: .+\nIP address: [\d.]+$/m)
    for (const word of [secret, ...recoveryCodes]) t.notOk(source.includes(word))
  }
})
