import { type ComponentProps, lazy, type ReactElement } from 'react'
import type { Decision } from './confirmation.tsx'
import { Opener } from './opener.tsx'

const load = () => import('./confirmation.tsx')
const Confirmation = lazy(load)

/** A button whose action is confirmed first: it is irreversible, or concerns others. */
export const Ask = ({ trigger, ...decision }: Decision & { trigger: ReactElement<ComponentProps<'button'>> }) => (
  <Opener trigger={trigger} opens="dialog" load={load}>
    {(trigger) => <Confirmation trigger={trigger} {...decision} />}
  </Opener>
)
