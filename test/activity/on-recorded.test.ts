import { eq } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import t from 'tap'
import { activities, oneTimeValues, users } from '../../drizzle/schema.ts'
import { kindOf } from '../../features/activity/activities.ts'
import { type RecordedActivity, record } from '../../features/activity/index.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { challenge, changeEmail, invite, password, signedUp, startAcme } from '../helpers/people.ts'
import { recorded } from '../helpers/records.ts'

const types = Object.keys(kindOf) as (keyof typeof kindOf)[]

t.test('what is recorded is told in its transaction, also what one statement does and records', async (t) => {
  const told: RecordedActivity[] = []
  const listener: FastifyPluginAsync = async ({ db, onRecorded }) =>
    onRecorded(types, async (tx, activity) => {
      const which = eq(activities.id, activity.id)
      t.same([await tx.$count(activities, which), await db.$count(activities, which)], [1, 0], activity.type)
      told.push(activity)
    })
  const { app, db } = await startApp(t, {}, { features: [listener] })
  const { owner, path } = await startAcme(app)
  await owner.browser.submit('PATCH', '/settings/profile', { name: 'Ana Maria' })
  const { id } = await invite(app, owner, path, 'new@example.com')
  await owner.browser.submit('DELETE', `${path}/invitations/${id}`)
  await owner.browser.submit('DELETE', path, challenge)
  await changeEmail(owner, 'other@example.com')

  const rows = (await recorded(db)).map(({ id, type, actorId, actorName, userId, accountId, details, createdAt }) => ({
    ...{ id, type, actorId, actorName, userId, accountId, details, createdAt },
  }))
  t.same(told, rows)
  const statements = ['profile_changed', 'invitation_revoked', 'account_deleted']
  const untold = statements.filter((type) => !told.some((activity) => activity.type === type))
  t.same(untold, [])
})

t.test('what fails then undoes what was done, and is told to nobody else', async (t) => {
  const told: string[] = []
  const listeners: FastifyPluginAsync = async ({ onRecorded }) => {
    onRecorded(['signed_out'], async ({ afterCommit }) => afterCommit(() => told.push('after')))
    onRecorded(['signed_out', 'session_ended'], async () => {
      throw new Error('it refuses')
    })
  }
  const { app, db } = await startApp(t, {}, { features: [listeners] })
  const { user } = await signedUp(app)
  const before = await recorded(db)
  const attempt = db.transaction((tx) => record(tx, 'signed_out', { userId: user.id }))
  await t.rejects(attempt, { message: 'it refuses' })
  t.same([await recorded(db), told], [before, []])
})

t.test('a value of a product that is there already is no email address that is taken', async (t) => {
  const used = { value: 'used', expiresAt: new Date() }
  const listener: FastifyPluginAsync = async ({ onRecorded }) =>
    onRecorded(['signed_up'], async (tx) => {
      await tx.insert(oneTimeValues).values([used, used])
    })
  const { app, db } = await startApp(t, {}, { features: [listener] })
  const browser = await Browser.open(app)
  const person = { name: 'Ana', email: 'ana@example.com', password, password_confirmation: password }
  t.equal((await browser.request('POST', '/sign_up', { body: person })).statusCode, 500)
  t.equal(await db.$count(users), 0)
})
