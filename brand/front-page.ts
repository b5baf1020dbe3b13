import { rich, t } from '../pages/words/t.ts'

/** What guests read at the home page, in their language. */
export const frontPage = (appName: string) => ({
  title: t('One door to all your workspaces.'),
  lead: rich(
    `{appName} keeps your own things and what you share with others in separate rooms, and one sign-in lets you move
      between them.`,
    { appName },
  ),
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
  ] as const,
})
