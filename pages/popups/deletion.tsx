import { router } from '@inertiajs/react'
import type { ReactNode } from 'react'
import type { Path } from '../../features/paths.ts'
import { Button } from '../shared/button.tsx'
import { WithPassword } from './with-password.tsx'

type Props = { action: string; to: Path; refused: boolean; children: ReactNode }

/** Deletes something for good: explains what will be lost and asks for the password. */
export const Deletion = ({ action, to, refused, children }: Props) => (
  <WithPassword
    trigger={<Button>{action}</Button>}
    title={`${action}?`}
    action={action}
    look="danger"
    to={to}
    onSuccess={() => router.flushAll()}
    opened={refused} // if rejected and fully reloaded, the dialog opens again
  >
    {children}
  </WithPassword>
)
