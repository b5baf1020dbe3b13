import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { paths } from '../../features/paths.ts'
import { Button, ButtonLink } from '../shared/button.tsx'
import { focusHeading } from '../shared/focus.ts'
import { t } from '../words/t.ts'

const name = 'no-passkey-offer'

/** Whether this browser may still suggest a passkey: it can make one, and nobody said no. */
export function mayOffer() {
  try {
    return 'PublicKeyCredential' in window && localStorage.getItem(name) === null
  } catch {
    return false // it could not be dismissed for good
  }
}

/** Suggests a passkey, once. */
export function PasskeyOffer() {
  const [isOpen, setOpen] = useState(mayOffer)
  const dismiss = () => {
    localStorage.setItem(name, 'true')
    setOpen(false)
  }
  const decline = () => {
    dismiss()
    focusHeading()
  }
  if (!isOpen) return null

  return (
    <section className="card passkey-offer" aria-labelledby="passkey-offer">
      <KeyRound aria-hidden="true" />
      <div className="row-text">
        <h2 id="passkey-offer">{t('Next time without your password?')}</h2>
        <span>
          {t('With a passkey, you sign in with your fingerprint, face or PIN. It takes a minute to add one.')}
        </span>
      </div>
      <div className="row-actions">
        <Button size="small" onClick={decline}>
          {t('No, thanks')}
        </Button>
        <ButtonLink size="small" look="primary" href={`${paths.security().url}#passkeys`} onClick={dismiss}>
          {t('Add a passkey')}
        </ButtonLink>
      </div>
    </section>
  )
}
