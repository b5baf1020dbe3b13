import type { GuestFeature } from '../feature.ts'
import { MailCodeButton } from './mail-code-button.tsx'

export const mailCodes: GuestFeature = { option: 'mail-codes', parts: { 'auth/sign-in:more': MailCodeButton } }
