import { eq } from 'drizzle-orm'
import t from 'tap'
import { activities, users } from '../../drizzle/schema.ts'
import { startCommanded } from '../helpers/commands.ts'
import { signedIn, verifiedUp } from '../helpers/people.ts'
import { forgetMails, mailsOf } from '../helpers/records.ts'

t.test('the command line removes a lost second factor', async (t) => {
  const { app, db, run } = await startCommanded(t)
  const { person, user } = await verifiedUp(app)
  await forgetMails(db)
  const reset = () => run('reset-second-factor', person.email)
  t.same(await reset(), { code: 1, out: '', err: `${person.email} has no second factor\n` })
  await db.update(users).set({ secondFactorAt: new Date() }).where(eq(users.id, user.id))
  t.match(await reset(), { code: 0, out: `${person.email} signs in without a second factor\n` })
  t.equal((await signedIn(app, person)).page.component, 'accounts/show')
  const [activity] = await db.select().from(activities).where(eq(activities.type, 'second_factor_disabled'))
  t.match(activity, { userId: user.id, actorId: null })
  t.same(await mailsOf(db, user.id), ['second_factor_disabled'])
})
