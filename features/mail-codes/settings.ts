import { defineSettings, oneOf } from '../../plugins/settings.ts'

declare module '../../plugins/settings.ts' {
  interface OptionConfig {
    mailCodes: boolean
  }
}

defineSettings({
  variables: { MAIL_CODES: oneOf('on', 'off') },
  // Without a mail server, nobody would get one.
  read: ({ MAIL_CODES }, { hasMail }) => ({ mailCodes: MAIL_CODES === 'on' && hasMail }),
})
