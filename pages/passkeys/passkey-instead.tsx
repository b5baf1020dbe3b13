import { useFormContext, usePage } from '@inertiajs/react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { forgetDocumentErrors, useDocumentErrors } from '../forms/document-errors.ts'
import { useHydrated } from '../hooks/store.ts'
import type { Places } from '../places.ts'
import { Icon } from '../shared/icon.tsx'
import { t } from '../words/t.ts'
import { PasskeyAnswer } from './passkey-answer.tsx'

/** Offers a passkey in place of the current password. */
export function PasskeyInstead({ alone, children }: Places['current-password']) {
  const { has_passkey, without_password } = usePage().props
  const errors = useDocumentErrors()
  const form = useFormContext()
  const alive = useHydrated()
  const [chosen, setChosen] = useState(errors.passkey_challenge !== undefined)
  // The last one may have been removed meanwhile, which the message then stands for.
  const isOffered = (has_passkey || chosen) && (!alive || 'PublicKeyCredential' in window)
  const byPasskey = isOffered && chosen

  const otherwise = without_password ? t('Continue without a passkey') : t('Use your password instead')
  const change = () => {
    form?.clearErrors('password_challenge', 'passkey_challenge')
    forgetDocumentErrors()
    flushSync(() => setChosen(!chosen))
    if (alone && !chosen) form?.submit()
  }

  return (
    <>
      {isOffered && (
        <p className="passkey-note" aria-live="polite">
          {byPasskey && (
            <>
              <Icon name="key" />
              {t('Your device will ask for your passkey.')}
            </>
          )}
        </p>
      )}
      {byPasskey ? <PasskeyAnswer /> : children}
      {isOffered && !without_password?.recent && (
        <button type="button" className="link" onClick={change}>
          {byPasskey ? otherwise : t('Use a passkey instead')}
        </button>
      )}
    </>
  )
}
