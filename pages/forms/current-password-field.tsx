import { router, useFormContext, usePage } from '@inertiajs/react'
import { paths } from '../../features/paths.ts'
import { Around } from '../parts/around.tsx'
import { t } from '../words/t.ts'
import { useDocumentErrors } from './document-errors.ts'
import { ValidatesAhead } from './form.tsx'
import { PasswordField, Username } from './password-field.tsx'

/**
 * Confirms the person's identity, by password or what options add. Never validated ahead, since each validation would
 * count as a guess. `alone`: the form has no other field, so the choice of another way submits it.
 */
export function CurrentPasswordField({ alone = false }: { alone?: boolean }) {
  const { auth, without_password } = usePage().props

  return (
    <div className="current-password">
      {auth.user && <Username of={auth.user} />}
      <Around of="current-password" with={{ alone }}>
        {without_password ? (
          <RecentSession {...without_password} />
        ) : (
          <ValidatesAhead value={false}>
            <PasswordField name="password_challenge" label={t('Current password')} autoComplete="current-password" />
          </ValidatesAhead>
        )}
      </Around>
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
