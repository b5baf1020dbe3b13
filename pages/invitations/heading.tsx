import type { ReactNode } from 'react'
import { type Path, paths } from '../../features/paths.ts'
import { Avatar } from '../shared/avatar.tsx'
import { ButtonLink } from '../shared/button.tsx'
import { Heading } from '../shared/heading.tsx'
import { rich, t } from '../words/t.ts'

type Props = { inviter: string; account: string; name: string; picture?: string | null; children: ReactNode }

export const InvitationHeading = ({ inviter, account, name, picture, children }: Props) => (
  <Heading
    title={t('{inviter} invited you to {account}', { inviter, account })}
    shown={rich('{inviter} invited you to {account}', { inviter, account })}
    picture={<Avatar of={name} name={name} picture={picture} />}
  >
    {children}
  </Heading>
)

export const Entrances = ({ signUp, signIn }: { signUp: Path | false; signIn: Path }) => (
  <>
    {signUp && (
      <ButtonLink look="primary" href={signUp.url}>
        {t('Sign up')}
      </ButtonLink>
    )}
    <ButtonLink href={signIn.url}>{t('Sign in')}</ButtonLink>
  </>
)

export const ToWorkspaces = () => <ButtonLink href={paths.home().url}>{t('Go to your workspaces')}</ButtonLink>
export const ToHome = () => <ButtonLink href={paths.home().url}>{t('Go to the home page')}</ButtonLink>
