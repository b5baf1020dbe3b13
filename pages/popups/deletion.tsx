import { router } from '@inertiajs/react'
import type { ReactNode } from 'react'
import type { Path } from '../../features/paths.ts'
import { useDocumentErrors } from '../forms/document-errors.ts'
import { Button } from '../shared/button.tsx'
import { t } from '../words/t.ts'
import { WithPassword } from './with-password.tsx'

type Props = { title?: ReactNode; action: string; to: Path; onSuccess?(): void; children: ReactNode }

export function Deletion({ action, title = t('{action}?', { action }), to, onSuccess, children }: Props) {
  const errors = useDocumentErrors()
  const isRefused = errors.password_challenge !== undefined || errors.passkey_challenge !== undefined
  return (
    <WithPassword
      trigger={<Button>{action}</Button>}
      title={title}
      action={action}
      look="danger"
      to={to}
      onSuccess={() => {
        router.flushAll()
        onSuccess?.()
      }}
      opened={isRefused} // if rejected and fully reloaded, the dialog opens again
    >
      {children}
    </WithPassword>
  )
}
