import type { ReactNode } from 'react'
import type { IconName } from '../pages/shared/icon.tsx'
import { rich, t } from '../pages/words/t.ts'

export type FrontPage = {
  title: string
  lead: ReactNode
  reasons: readonly { icon: IconName; title: string; text: string }[]
  /** Without one of these, its place is absent. What has a `src` is a file of `pages/public/`. */
  navigation?: readonly { name: string; href: string }[]
  /** Of the product, in the door. */
  picture?: { src: string; alt: string }
  logos?: readonly { name: string; src: string }[]
  quote?: { text: string; from: string }
  questions?: readonly { question: string; answer: string }[]
}

/** What guests read at the home page, in their language. */
export const frontPage = (appName: string): FrontPage => ({
  title: t('One door to all your workspaces.'),
  lead: rich(
    `{appName} keeps your own things and what you share with others in separate rooms, and one sign-in lets you move
      between them.`,
    { appName },
  ),
  picture: { src: '/picture.svg', alt: '' },
  reasons: [
    {
      icon: 'key',
      title: t('One key'),
      text: t('Sign up once. One password opens every workspace you have or share.'),
    },
    {
      icon: 'building',
      title: t('Room for every team'),
      text: t(`Start with a workspace of your own. Create another for a team or a client, and switch between them
        anywhere.`),
    },
    {
      icon: 'devices',
      title: t('Every device in sight'),
      text: t(`See where you're signed in and when you were last active there. End a session you don't recognize with
        one click.`),
    },
  ],
})
