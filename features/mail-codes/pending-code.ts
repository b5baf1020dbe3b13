import { sealedCookie } from '../../plugins/security/sealed-cookie.ts'
import type { SignInContext } from '../auth/pending-sign-in.ts'

/** What the browser keeps that asked for a code. The code works nowhere else. */
type PendingCode = SignInContext & {
  id: string
  /** Of the codes that this one replaced. */
  replaced?: string[]
  email: string
}

const anHourMs = 3_600_000 // so that somebody who comes late is told so

export const pendingCode = sealedCookie<PendingCode>('mail_code', anHourMs)
