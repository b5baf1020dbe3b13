import type { Words } from '../../../plugins/languages/translate.ts'

export const words: Words = {
  'Projects that end on the day you said.': 'مشاريع تنتهي في موعدها.',
  '{appName} keeps clients, rates and due days of a team in one place, and reminds of what is due.':
    'يجمع {appName} العملاء والأسعار والمواعيد في مكان واحد، ويذكّر بما حان موعده.',
  Why: 'لماذا',
  'The projects of a workspace': 'مشاريع إحدى مساحات العمل',
  'One list for everyone': 'قائمة واحدة للجميع',
  'Who is in the workspace sees what it works on.': 'كل عضو في مساحة العمل يرى ما يجري العمل عليه.',
  'No day is missed': 'لا يفوت أي موعد',
  'A mail comes the day before a project is due.': 'تصل رسالة قبل الموعد بيوم.',
  'For programs, too': 'وللبرامج أيضًا',
  'What people can do, a program can do with a token.': 'ما يمكن للأشخاص يمكن لبرنامج عبر رمز وصول.',
  'Since then, nobody has asked me when we are done.': 'منذ ذلك الحين لم يسألني أحد متى ننتهي.',
  'What does it cost?': 'كم التكلفة؟',
  'Nothing for teams of up to five.': 'مجانًا للفرق حتى خمسة أشخاص.',
  'Where is my data?': 'أين بياناتي؟',
  'On your own servers, if you like.': 'على خوادمك إن شئت.',
}
