import type { OfUser } from '../activity/activities.ts'

declare module '../activity/activities.ts' {
  interface Activities {
    signed_up: OfUser
    signed_in: OfUser
    /** From the browser that is recorded with it. */
    signed_out: OfUser
    /** Another one of one's own. */
    session_ended: OfUser
    /** All of one's own but perhaps the current one. */
    sessions_ended: OfUser
    /** A wrong password for a known address; noted once an hour for each client. */
    sign_in_refused: OfUser
  }
}
