import { eq } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { describeLeaving } from '../../features/auth/leaving.ts'
import { startApp } from '../helpers/app.ts'
import { bare } from '../helpers/everything.ts'
import { signedUp, verifiedUp } from '../helpers/people.ts'

t.test('before an option leaves, those are counted who lose it, who are shut out, and who cannot reset', async (t) => {
  const owners: number[] = []
  const wand: FastifyPluginAsync = async ({ signInMethods }) =>
    signInMethods.add({
      name: 'magic_wand',
      find: async (_, ids) => ids.filter((id) => owners.includes(id)).map((userId) => ({ userId, words: [] })),
    })
  const { app, db } = await startApp(t, bare, { features: [wand] })
  const [both, alone, lost] = [await verifiedUp(app), await verifiedUp(app), await signedUp(app)]
  owners.push(...[both, alone, lost].map(({ user }) => user.id))
  await signedUp(app)
  const withoutPassword = { passwordDigest: null }
  for (const { user } of [alone, lost]) await db.update(users).set(withoutPassword).where(eq(users.id, user.id))
  const reset = "of them can't even reset their password, since their email is not verified"
  t.equal(
    await describeLeaving(app, 'magic-wand'),
    `3 people lose this way in, 2 have no other way in, 1 ${reset}, 0 workspaces require it`,
  )
  t.equal(await describeLeaving(app, 'nothing'), undefined)
})
