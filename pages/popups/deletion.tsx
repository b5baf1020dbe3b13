import { router } from '@inertiajs/react'
import type { ReactNode } from 'react'
import type { Path } from '../../features/paths.ts'
import { Button } from '../shared/button.tsx'
import { WithPassword } from './with-password.tsx'

type Props = { action: string; to: Path; refused: boolean; children: ReactNode }

/** Deletes what cannot come back, after saying what is lost, and only with the password. */
export const Deletion = ({ action, to, refused, children }: Props) => (
  <WithPassword
    trigger={<Button>{action}</Button>}
    title={`${action}?`}
    action={action}
    look="danger"
    to={to}
    onSuccess={() => router.flushAll()}
    opened={refused} // and then loaded afresh: the decision is still to be made
  >
    {children}
  </WithPassword>
)
