import type { FastifyPluginAsync } from 'fastify'
import t, { type Test } from 'tap'
import { emailChanges, sessions } from '../../../drizzle/schema.ts'
import { raw } from '../../../plugins/languages/index.ts'
import { startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { undoChange } from '../../helpers/endings.ts'
import { bare } from '../../helpers/everything.ts'
import { changeEmail, forgotten, sidOf, signedUp, userRow, verifiedUp } from '../../helpers/people.ts'
import { forgetMails } from '../../helpers/records.ts'
import { startSmtp } from '../../helpers/smtp.ts'

const fresh = 'a fresh new password'

const written = (time: number) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' }).format(time)

/** A person who may add a way in, a wand, before or after they verified their address. */
async function startWithWand(t: Test) {
  const smtp = await startSmtp(t)
  const wands = new Map<number, Date>()
  const wand: FastifyPluginAsync = async ({ signInMethods }) =>
    signInMethods.add({
      name: 'wand',
      find: async (_, ids) => ids.filter((id) => wands.has(id)).map((userId) => ({ userId, words: [raw('a wand')] })),
      async remove(_tx, { id }, { before }) {
        const addedAt = wands.get(id)
        return addedAt !== undefined && (!before || addedAt < before) && wands.delete(id)
      },
    })
  const started = await startApp(t, { ...smtp.environment, ...bare }, { features: [wand] })
  const { app, db } = started
  const someone = await signedUp(app)
  const { id } = someone.user
  const read = () => userRow(db, id)
  /** Opens the link, as mail scanners do, too. In a session of the person, it proves the address. */
  const verify = async (browser = someone.browser) =>
    browser.visit(`/identity/email_verification?sid=${await sidOf(app, 'email_verification', id)}`)
  const add = () => wands.set(id, app.now())
  const hasWand = () => wands.has(id)
  const reset = async () => {
    await forgetMails(db)
    return forgotten(app, id, fresh)
  }
  return { ...started, ...someone, smtp, read, verify, add, hasWand, reset }
}

t.test('a password reset removes what was added before the address was verified', async (t) => {
  const { app, smtp, clock, verify, add, hasWand, reset } = await startWithWand(t)
  add()
  clock.forward({ minutes: 5 })
  await verify()
  t.same((await reset()).flash, { notice: 'Your password was reset successfully. Please sign in' })
  t.notOk(hasWand())
  await app.jobs.startWorkers()
  const { text } = await smtp.next('Your password has been changed')
  t.match(text, 'Your new password is now the only way to sign in.')
})

t.test('a reset that proves the address for the first time removes whatever was ever added', async (t) => {
  const { app, db, clock, person, verify, add, hasWand, reset, read } = await startWithWand(t)
  await verify(new Browser(app)) // as mail scanners do
  clock.forward({ minutes: 5 })
  add()
  await reset()
  t.match(await read(), { provedEmail: person.email })
  t.notOk(hasWand())
  t.equal(await db.$count(sessions), 0)

  add()
  await reset()
  t.ok(hasWand(), 'the next one removes only what is older than the verification')
})

t.test('the mail of a reset names older addresses that can take the account back, and until when', async (t) => {
  const { app, db, smtp, clock, person, browser, verify, reset } = await startWithWand(t)
  const change = async (email: string) => {
    await verify()
    await changeEmail({ browser }, email)
  }
  await change('second@example.com')
  clock.forward({ days: 2 })
  await change('present@example.com')
  await verify()
  await app.jobs.startWorkers()
  const named = async () => {
    await reset()
    const { text = '' } = await smtp.next('Your password has been changed')
    return [...text.matchAll(/Your address was (\S+) before\. Until (.+), a link/g)].map(([, ...found]) => found)
  }
  const changes = await db.select().from(emailChanges).orderBy(emailChanges.id)
  const until = ({ createdAt }: { createdAt: Date }) => createdAt.getTime() + 3 * 86_400_000
  const [first, second] = [person.email, 'second@example.com'].map((email, at) => [
    email,
    written(until(changes[at] ?? { createdAt: new Date(0) })),
  ])
  t.same(await named(), [first, second])
  clock.forward({ days: 1 })
  t.same(await named(), [second])
  await verifiedUp(app, { email: 'second@example.com' })
  t.same(await named(), [], 'somebody else has it now')
})

t.test('what was added later stays, and the mail lists it', async (t) => {
  const { app, smtp, clock, verify, add, hasWand, reset } = await startWithWand(t)
  await verify()
  clock.forward({ minutes: 5 })
  add()
  await reset()
  t.ok(hasWand())
  await app.jobs.startWorkers()
  const mail = await smtp.next('Your password has been changed')
  for (const part of [mail.text, mail.html])
    t.match(part, 'Besides your new password, these ways to sign in remain: a wand.')
})

t.test('after a change of the address, what was added with the old one is removed by a reset', async (t) => {
  const { clock, browser, verify, add, hasWand, reset, read } = await startWithWand(t)
  await verify()
  add()
  const { verifiedAt } = await read()
  clock.forward({ minutes: 5 })
  await changeEmail({ browser }, 'new@example.com')
  t.match(await read(), { verified: false, verifiedAt }, 'that they had verified one is still known')
  await verify()
  t.ok(((await read()).verifiedAt ?? 0) > (verifiedAt ?? 0))
  await reset()
  t.notOk(hasWand())
})

t.test('restoring an email removes every other sign-in method, even older ones', async (t) => {
  const { app, db, clock, person, user, browser, verify, add, hasWand, read } = await startWithWand(t)
  await verify()
  add()
  clock.forward({ minutes: 5 })
  await changeEmail({ browser }, 'thief@example.com')
  const page = await undoChange(app, user.id)
  t.same(page.flash, { notice: 'Your email has been restored. Choose a new password' })
  t.notOk(hasWand())
  t.equal(await db.$count(sessions), 0)
  t.match(await read(), { email: person.email })
})
