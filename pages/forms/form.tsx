import type { FormComponentRef } from '@inertiajs/core'
import { Form as InertiaForm, router, useFormContext } from '@inertiajs/react'
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import type { Path } from '../../features/paths.ts'
import { useHydrated } from '../hooks/hydrated.ts'
import { Alert } from '../shared/alert.tsx'
import { Button } from '../shared/button.tsx'
import { forgetDraft, isComingBack } from '../visits/drafts.ts'
import { isFile } from '../visits/files.ts'
import { alertText, take } from '../visits/flashes.ts'

/** Whether the server validates a field of the form when it is left. */
export const ValidatesAhead = createContext(false)

type Props = {
  to: Path
  validatesAhead?: boolean
  /** For what is no visit: it is given the form when everything is filled in. */
  instead?(form: FormComponentRef): void
  children: ReactNode
} & Pick<ComponentProps<typeof InertiaForm>, 'onSuccess'>

/** A form that keeps what was typed while it is refused, says why in its own place, and begins anew when it has done its work. */
export function Form({ to, validatesAhead = false, instead, onSuccess, children }: Props) {
  const fields = useRef<HTMLDivElement>(null)
  const form = useRef<FormComponentRef>(null)
  const submitting = useRef(false)
  const [refusals, setRefusals] = useState(0)
  const [alert, setAlert] = useState<string>()
  const [round, setRound] = useState({ number: 0, focused: false })

  useEffect(() => {
    if (refusals > 0) focusFirst(fields, '[role="alert"], [aria-invalid="true"]')
  }, [refusals])
  useEffect(() => {
    if (round.focused) focusFirst(fields, '[type="submit"]')
  }, [round])

  const beginAnew = () => {
    forgetDraft(to)
    const focused = fields.current?.contains(document.activeElement) ?? false
    setRound(({ number }) => ({ number: number + 1, focused }))
  }

  // A form that is answered with a file has done its work too, and stays where it is.
  const onFile = useEffectEvent(beginAnew)
  useEffect(
    () =>
      router.on('httpException', ({ detail: { response } }) => {
        if (submitting.current && isFile(response)) onFile()
      }),
    [],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that the form begins
  useEffect(() => {
    if (isComingBack()) withDrafts(({ putBack }) => fields.current && putBack(to, fields.current))
  }, [round.number])

  const refuse = (text?: string) => {
    setAlert(text)
    setRefusals((count) => count + 1)
  }
  return (
    <InertiaForm
      key={round.number}
      ref={form}
      action={to}
      noValidate // the messages stand beside the fields, in one voice
      options={{ preserveScroll: 'errors' }}
      validationTimeout={0} // fields wait by themselves; what waits here is lost at the next render
      onStart={() => {
        setAlert(undefined)
        submitting.current = true
      }}
      onFinish={() => {
        submitting.current = false
      }}
      onBefore={() => {
        const missing = missingIn(fields.current, { addresses: !validatesAhead })
        form.current?.setError(missing)
        if (Object.keys(missing).length > 0) {
          refuse()
          return false
        }
        if (instead && form.current) instead(form.current)
        return !instead
      }}
      onError={() => refuse()}
      onSuccess={(page) => {
        onSuccess?.(page)
        if (!page.flash.alert) return beginAnew()
        // A refusal without a field to blame. On another page there is nobody left to read it here.
        if (!fields.current?.isConnected) return
        take('alert')
        refuse(alertText(page.flash.alert))
      }}
    >
      <ValidatesAhead value={validatesAhead}>
        <div
          className="form"
          ref={fields}
          onInput={() => withDrafts(({ keepTyped }) => fields.current && keepTyped(to, fields.current))}
        >
          {alert && <Alert>{alert}</Alert>}
          {children}
        </div>
      </ValidatesAhead>
    </InertiaForm>
  )
}

// Loaded ahead (visits/later.ts), and no form of the first page waits for it.
const withDrafts = (act: (drafts: typeof import('./draft.ts')) => void) => import('./draft.ts').then(act, () => {})

/**
 * What is required and empty, and what is no address. A server need not be asked for that, and where nothing is validated ahead it answers an
 * address that cannot be like any other.
 */
function missingIn(fields: HTMLElement | null, { addresses }: { addresses: boolean }) {
  const messages: Record<string, string[]> = {}
  for (const { name, value, validity } of fields?.querySelectorAll<HTMLInputElement>('input[required]') ?? []) {
    if (!value) messages[name] = ["can't be blank"]
    else if (addresses && validity.typeMismatch) messages[name] = ['is invalid']
  }
  return messages
}

const focusFirst = (within: RefObject<HTMLElement | null>, selector: string) =>
  within.current?.querySelector<HTMLElement>(selector)?.focus()

export function Submit({ look = 'primary', children }: { look?: 'primary' | 'danger'; children: ReactNode }) {
  const processing = useFormContext()?.processing ?? false
  const alive = useHydrated()
  const id = useId()

  return (
    <>
      <Button
        type="submit"
        look={look}
        size="large"
        // Before the page is alive the browser would submit by itself, and write passwords into an address. A form whose
        // only button is disabled cannot be submitted by the enter key either.
        disabled={!alive}
        aria-describedby={alive ? undefined : id}
        aria-disabled={processing} // not disabled: that would throw the focus away
        onClick={(event) => processing && event.preventDefault()}
      >
        {children}
      </Button>
      {!alive && (
        <p className="form-waits" id={id}>
          This form needs JavaScript. If the button stays grey, allow it or reload the page.
        </p>
      )}
    </>
  )
}
