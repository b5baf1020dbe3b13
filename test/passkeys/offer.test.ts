import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../drizzle/schema.ts'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import { sharedApp } from '../helpers/app.ts'
import { deferredProps } from '../helpers/browser.ts'
import { signedUp, verify } from '../helpers/people.ts'

const key = { credentialId: 'x', publicKey: '', counter: 0, name: '', syncable: false, synced: false }

t.test('a passkey is suggested to who may add one, has none, and signed in with a password', async (t) => {
  const { app, db } = await sharedApp(t)
  const { browser, user, slug, session } = await signedUp(app)
  const isOffered = async () => (await deferredProps(browser, `/${slug}`)).offer_passkey
  t.equal(await isOffered(), false, 'to nobody without a verified address')
  await verify(db, user.id)
  t.equal(await isOffered(), true)
  const isCurrent = eq(sessions.token, session)
  await db.update(sessions).set({ firstFactor: 'provider', provider: 'google' }).where(isCurrent)
  t.equal(await isOffered(), false)
  await db.update(sessions).set({ firstFactor: 'password', provider: null, secondFactor: 'code' }).where(isCurrent)
  t.equal(await isOffered(), true)
  const isFirstStep = async () => {
    const { first_steps } = await deferredProps(browser, `/${slug}`)
    return first_steps.some(({ id, done }: { id: string; done: boolean }) => id === 'passkey' && !done)
  }
  t.ok(await isFirstStep())
  await db.insert(passkeys).values({ userId: user.id, ...key })
  t.same([await isOffered(), await isFirstStep()], [false, false])
})
