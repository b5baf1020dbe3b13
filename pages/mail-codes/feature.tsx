import { ShieldCheck } from 'lucide-react'
import type { MailCodeActivities } from '../../features/mail-codes/activities.ts'
import { mailCodeWords } from '../../features/mail-codes/words.ts'
import { text } from '../../plugins/languages/text.ts'
import type { Feature } from '../feature.ts'
import { rich } from '../words/t.ts'

/** Whoever reads the mail of a verified address can sign in with a code. */
export const mailCodes: Feature<keyof MailCodeActivities> = {
  option: 'mail-codes',
  methods: { first: { email_code: mailCodeWords } },
  mails: {
    sign_in_code: text('Your code to sign in'),
    ways_in_removed: text('Your other ways to sign in were removed'),
  },
  icons: { ways_in_removed: ShieldCheck },
  sentences: {
    ways_in_removed: ({ actor }) =>
      rich('{actor} proved the email address with a code, which removed all other ways to sign in', { actor }),
  },
  protection: ({ auth }) => ({ ways: auth.user?.verified ? 1 : 0 }),
}
