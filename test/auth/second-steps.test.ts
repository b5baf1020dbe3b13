import { eq, sql } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import t from 'tap'
import { accounts, sessions, users } from '../../drizzle/schema.ts'
import { paths } from '../../features/paths.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { startApp } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'
import { signedIn, startAcme } from '../helpers/people.ts'

const asked = new Set<number>()

/** A step as a product may add one: people whom it is asked of say a word, in a field that no other step answers. */
const byWord: FastifyPluginAsync = async (app) => {
  app.secondSteps.add({
    id: 'word' as never,
    isSetUp: async (_db, userId) => asked.has(userId),
    isAskedOf: ({ id }) => asked.has(id),
    isAnsweredBy: ({ trust }) => typeof trust === 'string',
    refusal: () => new Invalid({ trust: [text('is invalid')] }),
    prove: (_request, userId, { trust }, work) =>
      app.db.transaction(async (tx) => {
        const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
        return user && trust === 'right'
          ? work(tx, user, { secondFactor: 'word', twoFactorsSince: app.now() })
          : undefined
      }),
  })
  app.strongProofs.add({ name: 'word', setUps: sql`select person.created_at as set_up_at` })
  app.requirements.add({
    name: 'word',
    rank: 1,
    required: 'requireSecondFactor',
    unmet: ({ twoFactors }) => sql`${twoFactors} is not true`,
    path: () => paths.secondFactor(),
  })
}

const { app, db } = await startApp(t, {}, { features: [byWord] })
const { owner, account, path } = await startAcme(app)
const say = (browser: Browser, trust: string, form: object = {}) =>
  browser.submit('POST', '/sign_in/verify', { trust, ...form })
const begun = async () =>
  (await db.select().from(sessions).where(eq(sessions.userId, owner.user.id))).map(({ secondFactor }) => secondFactor)

t.test('a workspace that asks for a second step leads there, and back', async (t) => {
  await db.update(accounts).set({ requireSecondFactor: true }).where(eq(accounts.id, account.id))
  asked.add(owner.user.id)
  t.equal((await owner.browser.request('GET', `${path}/members`)).headers.location, '/sign_in/verify')
  const { component, props } = await owner.browser.visit('/sign_in/verify')
  t.match(
    { component, props },
    {
      component: 'auth/second-factor',
      props: { word: true, email: owner.person.email, return_to: `${path}/members` },
    },
  )
  t.same((await say(owner.browser, 'wrong')).props.errors, { trust: ['is invalid'] })
  const page = await say(owner.browser, 'right', { return_to: `${path}/members` })
  t.equal(page.component, 'accounts/members')
  t.same(await begun(), ['word'])
})

t.test('a sign-in waits for the step, which a new password makes void', async (t) => {
  const { browser, page } = await signedIn(app, owner.person)
  t.match(page, { component: 'auth/second-factor', props: { word: true, email: owner.person.email } })
  t.equal((await browser.visit(path)).component, 'auth/sign-in')
  t.same((await say(browser, 'wrong')).props.errors, { trust: ['is invalid'] })
  t.same(
    (await say(browser, 'right', { email: 'another@example.com' })).flash?.alert,
    'That sign-in is over. Sign in again',
  )
  t.equal((await say(browser, 'right')).component, 'accounts/show')
  t.same(await begun(), ['word', 'word'])

  const late = await signedIn(app, owner.person)
  await db.update(users).set({ passwordDigest: 'another' }).where(eq(users.id, owner.user.id))
  t.same((await say(late.browser, 'right')).flash?.alert, 'Please sign in again')
})
