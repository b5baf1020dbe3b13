import type { GuestFeature } from './feature.ts'
import { mailCodes } from './mail-codes/guest.tsx'
import { passkeys } from './passkeys/guest.tsx'
import { providers } from './providers/guest.tsx'
import { singleSignOn } from './single-sign-on/guest.tsx'

/** What options show to guests, in the order in which pages show it. It is in the script of every page. */
export const guestFeatures: GuestFeature[] = [providers, singleSignOn, mailCodes, passkeys]
