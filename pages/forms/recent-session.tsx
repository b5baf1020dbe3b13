import { router, useFormContext, usePage } from '@inertiajs/react'
import { paths } from '../../features/paths.ts'
import { useDocumentErrors } from '../visits/document-errors.ts'
import { t } from '../words/t.ts'

/** In place of the current password, for people who have none: signing in again is the proof. */
export function RecentSession({ recent }: { recent: boolean }) {
  const { auth } = usePage().props
  const errors = useDocumentErrors()
  const form = useFormContext<Record<string, string>>()
  const isRefused = (form?.errors.password_challenge ?? errors.password_challenge) !== undefined
  const signInAgain = () => {
    if (auth.session) router.delete(paths.endSession(auth.session.id).url)
  }

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
      <button type="button" className="link" onClick={signInAgain}>
        {t('Sign out and back in')}
      </button>
    </div>
  )
}
