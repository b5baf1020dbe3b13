import { router, useFormContext, usePage } from '@inertiajs/react'
import { paths } from '../../features/paths.ts'
import { t } from '../words/t.ts'

/** In place of the current password, for people who have none: signing in again is the proof. */
export function RecentSession({ recent }: { recent: boolean }) {
  const { auth, errors } = usePage().props
  const form = useFormContext<Record<string, string>>()
  const isRefused = (form?.errors.password_challenge ?? errors.password_challenge) !== undefined
  const signInAgain = () => {
    if (auth.session) router.delete(paths.endSession(auth.session.id).url)
  }

  if (recent && !isRefused) {
    return <p className="recent-session">{t('You have no password. You signed in a moment ago, which is enough.')}</p>
  }
  return (
    <div className="recent-session" role={isRefused ? 'alert' : undefined} tabIndex={-1}>
      <p>
        {t(
          `You have no password. Within five minutes of signing in you need nothing else here, but your sign-in was
            longer ago.`,
        )}
      </p>
      <button type="button" className="link" onClick={signInAgain}>
        {t('Sign out, to sign in again')}
      </button>
    </div>
  )
}
