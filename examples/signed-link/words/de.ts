import type { Words } from '../../../plugins/languages/translate.ts'

export const words: Words = {
  'Email me a link': 'Link per E-Mail schicken',
  'If this address is verified, a link is on its way to it':
    'Wenn diese Adresse bestätigt ist, ist ein Link dorthin unterwegs',
  'The link works once.': 'Der Link gilt einmal.',
  'with a link by mail': 'mit einem Link per E-Mail',
  'a link by mail': 'ein Link per E-Mail',
  '{actor} used a link by mail': '{actor} einen Link per E-Mail benutzt',
  'Your link to {appName}': 'Ihr Link zu {appName}',
  'It works once, for ten minutes.': 'Er gilt einmal, zehn Minuten lang.',
  'This link signs you in.': 'Dieser Link meldet Sie an.',
  "If you didn't ask for a link, you can ignore this email.":
    'Wenn Sie keinen Link angefordert haben, können Sie diese E-Mail ignorieren.',
  "If it wasn't, someone reads your mail. Change the password of your mailbox first.":
    'Wenn nicht, liest jemand Ihre E-Mails. Ändern Sie zuerst das Passwort Ihres Postfachs.',
}
