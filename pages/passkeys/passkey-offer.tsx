import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { ButtonLink, SmallButton } from '../shared/button.tsx'
import { focusHeading } from '../shared/focus.ts'
import { Topic } from '../shared/topic.tsx'
import { t } from '../words/t.ts'

const name = 'no-passkey-offer'

/** Whether this browser may still suggest a passkey: it can make one, and nobody said no. */
function mayOffer() {
  try {
    return 'PublicKeyCredential' in window && localStorage.getItem(name) === null
  } catch {
    return false // it could not be dismissed for good
  }
}

/** Unless it is one of the first steps already. */
export function PasskeyOffer({ offer_passkey, auth, first_steps = [] }: PageProps<'accounts/show'>) {
  const [isOpen, setOpen] = useState(mayOffer)
  const dismiss = () => {
    localStorage.setItem(name, 'true')
    setOpen(false)
  }
  const decline = () => {
    dismiss()
    focusHeading()
  }
  const isStep = first_steps.some(({ id, done }) => id === 'passkey' && !done)
  const isOffered = offer_passkey && auth.user?.verified && !isStep
  if (!isOpen || !isOffered) return null

  return (
    <Topic
      icon={KeyRound}
      title={t('Skip the password next time?')}
      explanation={t('With a passkey, you sign in with your fingerprint, face or PIN. It takes a minute to add one.')}
      action={
        <div className="row-actions">
          <SmallButton onClick={decline}>{t('No, thanks')}</SmallButton>
          <ButtonLink size="small" look="primary" href={`${paths.security().url}#passkeys`} onClick={dismiss}>
            {t('Add a passkey')}
          </ButtonLink>
        </div>
      }
    />
  )
}
