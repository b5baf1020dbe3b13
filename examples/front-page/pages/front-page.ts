import type { FrontPage } from '../../../brand/front-page.ts'
import { rich, t } from '../../../pages/words/t.ts'

/** What a product could say at its door, in the place of brand/front-page.ts. */
export const frontPage = (appName: string): FrontPage => ({
  title: t('Projects that end on the day you said.'),
  lead: rich('{appName} keeps clients, rates and due days of a team in one place, and reminds of what is due.', {
    appName,
  }),
  navigation: [
    { name: t('Why'), href: '#reasons' },
    { name: t('Questions'), href: '#questions' },
  ],
  picture: { src: '/picture.svg', alt: t('The projects of a workspace') },
  reasons: [
    { icon: 'building', title: t('One list for everyone'), text: t('Who is in the workspace sees what it works on.') },
    { icon: 'mail', title: t('No day is missed'), text: t('A mail comes the day before a project is due.') },
    { icon: 'key', title: t('For programs, too'), text: t('What people can do, a program can do with a token.') },
  ],
  logos: [{ name: 'Acme', src: '/icon.svg' }],
  quote: { text: t('Since then, nobody has asked me when we are done.'), from: 'Ada Abel, Acme' },
  questions: [
    { question: t('What does it cost?'), answer: t('Nothing for teams of up to five.') },
    { question: t('Where is my data?'), answer: t('On your own servers, if you like.') },
  ],
})
