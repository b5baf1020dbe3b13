import type { Method } from '../../plugins/security/session-method.ts'
import type { OfUser } from '../activity/activities.ts'

declare module '../activity/activities.ts' {
  interface Activities {
    signed_up: OfUser
    /** `method` as in `sessions`. Records of before do not have it. */
    signed_in: OfUser<{ method?: Method }>
    /** In the browser recorded with it. */
    signed_out: OfUser
    /** Another session of the same user. */
    session_ended: OfUser
    /** All sessions of the user, perhaps except the current one. */
    sessions_ended: OfUser
    /** A wrong password for a known address. Recorded at most once an hour per client. */
    sign_in_refused: OfUser
  }
}
