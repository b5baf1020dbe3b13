import { type ComponentProps, lazy, type ReactElement } from 'react'
import { Opener } from './opener.tsx'
import type { PasswordDecision } from './password-dialog.tsx'

const load = () => import('./password-dialog.tsx')
const PasswordDialog = lazy(load)

type Props = PasswordDecision & { trigger: ReactElement<ComponentProps<'button'>>; opened?: boolean }

/** A button for actions that need the password, to protect an unattended browser. */
export const WithPassword = ({ trigger, opened = false, ...decision }: Props) => (
  <Opener trigger={trigger} opens="dialog" load={load} opened={opened}>
    {(trigger) => <PasswordDialog trigger={trigger} {...decision} />}
  </Opener>
)
