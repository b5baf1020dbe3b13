import { oneOf } from '../../plugins/settings.ts'

export const mailCodeSettings = { MAIL_CODES: oneOf('on', 'off') }

/** Without a mail server, nobody would get one. */
export const readMailCodes = ({ MAIL_CODES }: { MAIL_CODES: string }, { hasMail }: { hasMail: boolean }) => ({
  mailCodes: MAIL_CODES === 'on' && hasMail,
})
