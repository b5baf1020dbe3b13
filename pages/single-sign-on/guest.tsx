import { singleSignOnPaths } from '../../features/single-sign-on/paths.ts'
import type { GuestFeature } from '../feature.ts'
import type { WayProps } from '../places.ts'
import { ButtonLink } from '../shared/button.tsx'
import { Icon } from '../shared/icon.tsx'
import { t } from '../words/t.ts'

export const singleSignOn: GuestFeature = {
  option: 'single-sign-on',
  ways: () => [{ id: 'sso', Button: SignInWithCompany }],
}

const SignInWithCompany = ({ invitation, returnTo }: WayProps) => (
  <ButtonLink href={singleSignOnPaths.singleSignOnByEmail(invitation, returnTo).url}>
    <Icon name="building" /> {t('Sign in with your company')}
  </ButtonLink>
)
