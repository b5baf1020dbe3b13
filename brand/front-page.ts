import { Building2, KeyRound, MonitorSmartphone } from 'lucide-react'
import { rich, t } from '../pages/words/t.ts'

/** What guests read at the home page, in their language. */
export const frontPage = (appName: string) => ({
  title: t('One door to all your workspaces.'),
  lead: rich(
    `{appName} keeps your own things and what you share with others in separate rooms, and you walk between them with
      one sign-in.`,
    { appName },
  ),
  reasons: [
    {
      Icon: KeyRound,
      title: t('One key'),
      text: t('Sign up once. A single password opens every workspace that you have or share.'),
    },
    {
      Icon: Building2,
      title: t('Room for each team'),
      text: t(`You start with a workspace of your own. Open another for a team or a client, and change between them
        anywhere.`),
    },
    {
      Icon: MonitorSmartphone,
      title: t('Every device in sight'),
      text: t(`See where you are signed in, and when you were there last. End a session that you do not know with one
        click.`),
    },
  ],
})
