import { Form as InertiaForm, useFormContext } from '@inertiajs/react'
import { type ComponentProps, createContext, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Path } from '../../features/paths.ts'
import { useHydrated } from '../hooks/hydrated.ts'
import { Button } from './button.tsx'

/** Whether the fields of a form are validated by the server while they are filled in. */
export const ValidatesAhead = createContext(false)

type Props = { to: Path; validatesAhead?: boolean; children: ReactNode } & Pick<
  ComponentProps<typeof InertiaForm>,
  'onSuccess'
>

export function Form({ to, validatesAhead = false, onSuccess, children }: Props) {
  const fields = useRef<HTMLDivElement>(null)
  const [refusals, setRefusals] = useState(0)

  useEffect(() => {
    if (refusals > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])

  return (
    <InertiaForm
      action={to}
      noValidate // the server's messages stand beside the fields, in one voice
      validationTimeout={0} // fields wait by themselves; what waits here is lost at the next render
      onError={() => setRefusals((count) => count + 1)}
      onSuccess={onSuccess}
    >
      <ValidatesAhead value={validatesAhead}>
        <div className="form" ref={fields}>
          {children}
        </div>
      </ValidatesAhead>
    </InertiaForm>
  )
}

export function Submit({ children }: { children: ReactNode }) {
  const processing = useFormContext()?.processing ?? false
  // Before the page is alive the browser would submit by itself, and write passwords into an address. A form whose
  // only button is disabled cannot be submitted by the enter key either.
  const alive = useHydrated()

  return (
    <Button
      type="submit"
      look="primary"
      size="large"
      disabled={!alive}
      aria-disabled={processing} // not disabled: that would throw the focus away
      onClick={(event) => processing && event.preventDefault()}
    >
      {children}
    </Button>
  )
}
