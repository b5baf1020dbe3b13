import { makeOperator } from '../../features/operators/operators.ts'
import { type Started, withSecondFactor } from './second-factor.ts'

/** Signs up an operator, and signs them in with two factors. */
export async function operatorUp(started: Started) {
  const someone = await withSecondFactor(started)
  const { app, clock } = started
  await app.db.transaction((tx) => makeOperator(app, tx, someone.user.id))
  const { browser, submit } = await someone.halfway()
  await submit(await someone.code())
  clock.forward({ seconds: 30 })
  return { ...someone, browser }
}
