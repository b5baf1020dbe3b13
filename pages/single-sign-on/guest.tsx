import { singleSignOnPaths } from '../../features/single-sign-on/paths.ts'
import { asLastUsed, LastUsed } from '../auth/last-used.tsx'
import type { GuestFeature } from '../feature.ts'
import type { WayProps } from '../places.ts'
import { ButtonLink } from '../shared/button.tsx'
import { Icon } from '../shared/icon.tsx'
import { t } from '../words/t.ts'

export const singleSignOn: GuestFeature = {
  option: 'single-sign-on',
  parts: { 'auth/sign-in:more': SignInWithCompany },
}

function SignInWithCompany({ page, invitation, returnTo, shows }: WayProps) {
  const isLast = page.last_method === 'sso'
  if (!shows('sso')) return null
  return (
    <ButtonLink href={singleSignOnPaths.singleSignOnByEmail(invitation, returnTo).url} {...asLastUsed(isLast)}>
      <Icon name="building" /> {t('Sign in with your company')} {isLast && <LastUsed />}
    </ButtonLink>
  )
}
