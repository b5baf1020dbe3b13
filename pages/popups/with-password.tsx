import { type ComponentProps, lazy, type ReactElement } from 'react'
import { Opener } from './opener.tsx'
import type { PasswordDecision } from './password-dialog.tsx'

const load = () => import('./password-dialog.tsx')
const PasswordDialog = lazy(load)

type Props = PasswordDecision & { trigger: ReactElement<ComponentProps<'button'>>; opened?: boolean }

/** A button for what a stranger at this browser must not do: it asks for the password first. */
export const WithPassword = ({ trigger, opened = false, ...decision }: Props) => (
  <Opener trigger={trigger} opens="dialog" load={load} opened={opened}>
    {(trigger) => <PasswordDialog trigger={trigger} {...decision} />}
  </Opener>
)
