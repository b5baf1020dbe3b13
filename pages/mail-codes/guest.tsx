import { mailCodesPaths } from '../../features/mail-codes/paths.ts'
import type { GuestFeature } from '../feature.ts'
import type { WayProps } from '../places.ts'
import { ButtonLink } from '../shared/button.tsx'
import { Icon } from '../shared/icon.tsx'
import { t } from '../words/t.ts'

export const mailCodes: GuestFeature = {
  option: 'mail-codes',
  ways: () => [{ id: 'email_code', Button: AskForCode }],
}

const AskForCode = ({ invitation, returnTo }: WayProps) => (
  <ButtonLink href={mailCodesPaths.newMailCode(invitation, returnTo).url}>
    <Icon name="mail" /> {t('Email me a code')}
  </ButtonLink>
)
