import { Form as InertiaForm, useFormContext } from '@inertiajs/react'
import { type ComponentProps, createContext, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Path } from '../../features/paths.ts'
import { useHydrated } from '../hooks/hydrated.ts'
import { Button } from './button.tsx'

/**
 * Whether the server validates the fields of a form while they are filled in. Sparingly: not before a field is left, because
 * each check is taken off the tries that the form has.
 */
export const ValidatesAhead = createContext<boolean | 'sparingly'>(false)

type Props = { to: Path; validatesAhead?: boolean | 'sparingly'; children: ReactNode } & Pick<
  ComponentProps<typeof InertiaForm>,
  'noValidate' | 'onSuccess'
>

/** A form that keeps what was typed while it is refused, and begins anew when it has done its work. */
export function Form({ to, validatesAhead = false, noValidate = true, onSuccess, children }: Props) {
  const fields = useRef<HTMLDivElement>(null)
  const [refusals, setRefusals] = useState(0)
  const [round, setRound] = useState({ number: 0, focused: false })

  useEffect(() => {
    if (refusals > 0) focusFirst(fields, '[aria-invalid="true"]')
  }, [refusals])
  useEffect(() => {
    if (round.focused) focusFirst(fields, '[type="submit"]')
  }, [round])

  const beginAnew = () => {
    const focused = fields.current?.contains(document.activeElement) ?? false
    setRound(({ number }) => ({ number: number + 1, focused }))
  }

  return (
    <InertiaForm
      key={round.number}
      action={to}
      noValidate={noValidate} // the server's messages stand beside the fields, in one voice
      options={{ preserveScroll: 'errors' }}
      validationTimeout={0} // fields wait by themselves; what waits here is lost at the next render
      onError={() => setRefusals((count) => count + 1)}
      onSuccess={(page) => {
        onSuccess?.(page)
        if (!page.flash.alert) beginAnew() // an alert is a refusal too, only without a field to blame
      }}
    >
      <ValidatesAhead value={validatesAhead}>
        <div className="form" ref={fields}>
          {children}
        </div>
      </ValidatesAhead>
    </InertiaForm>
  )
}

const focusFirst = (within: RefObject<HTMLElement | null>, selector: string) =>
  within.current?.querySelector<HTMLElement>(selector)?.focus()

export function Submit({ look = 'primary', children }: { look?: 'primary' | 'danger'; children: ReactNode }) {
  const processing = useFormContext()?.processing ?? false
  // Before the page is alive the browser would submit by itself, and write passwords into an address. A form whose
  // only button is disabled cannot be submitted by the enter key either.
  const alive = useHydrated()

  return (
    <Button
      type="submit"
      look={look}
      size="large"
      disabled={!alive}
      aria-disabled={processing} // not disabled: that would throw the focus away
      onClick={(event) => processing && event.preventDefault()}
    >
      {children}
    </Button>
  )
}
