import { router, useFormContext, usePage } from '@inertiajs/react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { paths } from '../../features/paths.ts'
import { useHydrated } from '../hooks/store.ts'
import { PasskeyAnswer } from '../passkeys/passkey-answer.tsx'
import { Icon } from '../shared/icon.tsx'
import { t } from '../words/t.ts'
import { forgetDocumentErrors, useDocumentErrors } from './document-errors.ts'
import { ValidatesAhead } from './form.tsx'
import { PasswordField, Username } from './password-field.tsx'

/**
 * Confirms the person's identity, by password or passkey. Never validated ahead, since each validation would count as a
 * guess. `alone`: the form has no other field, so the choice of a passkey submits it.
 */
export function CurrentPasswordField({ alone = false }: { alone?: boolean }) {
  const { auth, has_passkey, without_password } = usePage().props
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
    <div className="current-password">
      {auth.user && <Username of={auth.user} />}
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
      {byPasskey ? (
        <PasskeyAnswer />
      ) : without_password ? (
        <RecentSession {...without_password} />
      ) : (
        <ValidatesAhead value={false}>
          <PasswordField name="password_challenge" label={t('Current password')} autoComplete="current-password" />
        </ValidatesAhead>
      )}
      {isOffered && !without_password?.recent && (
        <button type="button" className="link" onClick={change}>
          {byPasskey ? otherwise : t('Use a passkey instead')}
        </button>
      )}
    </div>
  )
}

function RecentSession({ recent }: { recent: boolean }) {
  const { auth } = usePage().props
  const errors = useDocumentErrors()
  const form = useFormContext<Record<string, string>>()
  const isRefused = (form?.errors.password_challenge ?? errors.password_challenge) !== undefined

  if (recent && !isRefused) {
    return <p className="recent-session">{t("You don't have a password, but you just signed in, which is enough.")}</p>
  }
  return (
    <div className="recent-session" role={isRefused ? 'alert' : undefined} tabIndex={-1}>
      <p>
        {t(
          `You don't have a password. You can do this within five minutes of signing in, but you signed in longer ago.`,
        )}
      </p>
      <button
        type="button"
        className="link"
        onClick={() => auth.session && router.delete(paths.endSession(auth.session.id).url)}
      >
        {t('Sign out and back in')}
      </button>
    </div>
  )
}
