import { type Cases, isRefused, wrong } from '../helpers/limits.ts'
import { operatorUp } from '../helpers/operators.ts'

export const cases: Cases = {
  async operator_change(app) {
    let ahead = 0 // of the code from the app, which is accepted before its time
    const now = () => new Date(app.now().getTime() + ahead)
    const forward = ({ seconds = 0 }) => {
      ahead += seconds * 1000
    }
    const { browser, user } = await operatorUp({ app, clock: { now, forward } })
    return () => isRefused(browser, 'POST', `/admin/users/${user.id}/sign_out`, wrong)
  },
}
