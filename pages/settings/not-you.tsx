import { router } from '@inertiajs/react'
import { paths } from '../../features/paths.ts'
import { Ask } from '../popups/dialog.tsx'
import { t } from '../words/t.ts'

type Props = { session: string; device: string; ip: string | null }

/** For a session or sign-in of somebody else: ends it, and leads to what keeps them out. */
export const NotYou = ({ session, device, ip }: Props) => (
  <Ask
    trigger={
      <button type="button" className="link">
        {t('Not you?')}
        <span className="visually-hidden">
          {' '}
          {device} {ip}
        </span>
      </button>
    }
    title={t('End this session?')}
    explanation={t(
      'It is signed out right away. Then you choose a new password, which signs out all your other devices, too.',
    )}
    action={t('End this session')}
    onConfirm={() => {
      router.delete(paths.endSession(session).url, { onSuccess: () => router.visit(paths.password().url) })
      router.flushAll()
    }}
  />
)
