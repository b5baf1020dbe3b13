import type { FormComponentRef } from '@inertiajs/core'
import { paths } from '../../features/paths.ts'
import { useHydrated } from '../hooks/hydrated.ts'
import { WithPassword } from '../popups/with-password.tsx'
import { SmallButton } from '../shared/button.tsx'
import { toast } from '../toasts/toast.ts'
import { dismissAlert, showAlert } from '../visits/alerts.ts'
import { sentenceOf } from '../words/answers.ts'
import { t } from '../words/t.ts'

export function AddPasskey() {
  const alive = useHydrated()
  if (alive && !('PublicKeyCredential' in window)) {
    return <p className="row-note">{t("This browser can't store passkeys. Try another one, or your phone.")}</p>
  }

  return (
    <WithPassword
      trigger={<SmallButton aria-label={t('Add a passkey')}>{t('Add')}</SmallButton>}
      title={t('Add a passkey')}
      action={t('Continue')}
      to={paths.passkeyOptions()}
      instead={make}
    >
      {t("First, we need to know it's you. Then your device asks where to save the passkey and how to unlock it.")}
    </WithPassword>
  )
}

async function make(form: FormComponentRef, close: () => void, signal: AbortSignal) {
  dismissAlert()
  try {
    const { makePasskey } = await import('../passkeys/webauthn.ts')
    const { errors, message, isCancelled } = (await makePasskey(form.getData(), signal)) ?? {}
    if (signal.aborted) return
    if (errors) return form.setError(errors)
    close()
    if (message) showAlert({ text: sentenceOf(message) })
    if (isCancelled) toast(t('No passkey was created. You can try again at any time.'), { isNeutral: true })
  } catch (error) {
    if (signal.aborted) return
    close()
    showAlert({ text: explain(error) })
  }
}

function explain(error: unknown) {
  if (error instanceof Error && error.name === 'InvalidStateError')
    return t('You already have a passkey on this device.')
  return t('That did not work. Please try again in a moment.')
}
