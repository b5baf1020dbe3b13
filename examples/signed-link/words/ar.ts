import type { Words } from '../../../plugins/languages/translate.ts'

export const words: Words = {
  'Email me a link': 'أرسل إليّ رابطًا',
  'If this address is verified, a link is on its way to it': 'إذا كان هذا العنوان موثّقًا، فالرابط في طريقه إليه',
  'The link works once.': 'يعمل الرابط مرة واحدة.',
  'with a link by mail': 'برابط عبر البريد',
  'a link by mail': 'رابط عبر البريد',
  '{actor} used a link by mail': '{actor}: استخدام رابط عبر البريد',
  'Your link to {appName}': 'رابطك إلى {appName}',
  'It works once, for ten minutes.': 'يعمل مرة واحدة، لمدة عشر دقائق.',
  'This link signs you in.': 'هذا الرابط يسجّل دخولك.',
  "If you didn't ask for a link, you can ignore this email.": 'إذا لم تطلب رابطًا، يمكنك تجاهل هذه الرسالة.',
  "If it wasn't, someone reads your mail. Change the password of your mailbox first.":
    'إن لم تكن أنت، فهناك من يقرأ بريدك. غيّر كلمة مرور صندوق بريدك أولًا.',
}
