import { eq, gt } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, users } from '../../drizzle/schema.ts'
import type { Way } from './sign-in-methods.ts'

const batch = 1_000

/** Who would lose what if the option were taken out, as words for operators. Undefined if it is no way in at all. */
export async function describeLeaving({ db, signInMethods, requirements }: FastifyInstance, option: string) {
  const isLeaving = ({ name }: { name: string }) => name.replaceAll('_', '-') === option
  const methods = [...signInMethods]
  const stays = methods.filter((each) => !isLeaving(each) && !each.isStep)
  const required = [...requirements].find(isLeaving)?.required
  if (!methods.some(isLeaving) && !required) return undefined

  const counts = { having: 0, shutOut: 0, lost: 0 }
  for (let after = 0; ; ) {
    const people = await db.select().from(users).where(gt(users.id, after)).orderBy(users.id).limit(batch)
    const ids = people.map(({ id }) => id)
    const owners = async (those: { find(database: typeof db, userIds: number[]): Promise<Way[]> }[]) =>
      new Set((await Promise.all(those.map(({ find }) => find(db, ids)))).flat().map(({ userId }) => userId))
    const [having, entering] = [await owners(methods.filter(isLeaving)), await owners(stays)]
    for (const { id, verified } of people.filter((each) => having.has(each.id))) {
      counts.having++
      if (!entering.has(id)) counts.shutOut++
      if (!entering.has(id) && !verified) counts.lost++
    }
    if (people.length < batch) break
    after = ids.at(-1) ?? 0
  }
  const workspaces = required ? await db.$count(accounts, eq(accounts[required], true)) : 0
  const isStep = methods.some((each) => isLeaving(each) && each.isStep)
  return [
    `${counts.having} people ${isStep ? 'lose their second factor' : 'lose this way in'}`,
    `${counts.shutOut} have no other way in`,
    `${counts.lost} of them can't even reset their password, since their email is not verified`,
    workspaces === 1 ? '1 workspace requires it' : `${workspaces} workspaces require it`,
  ].join(', ')
}
