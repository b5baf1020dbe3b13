import type { FormComponentRef } from '@inertiajs/core'
import { Form as InertiaForm, router } from '@inertiajs/react'
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import type { Path } from '../../features/paths.ts'
import { useHydrated } from '../hooks/store.ts'
import { SupportAfterAlert } from '../layouts/footer.tsx'
import { Alert } from '../shared/alert.tsx'
import { isFile } from '../shared/files.ts'
import { alertText, take } from '../visits/flashes.ts'
import { t } from '../words/t.ts'
import { asciiAddress } from './ascii-address.ts'
import { forgetDraft, keepDraft, putBack } from './drafts.ts'
import { Saved } from './submit.tsx'

export { Submit } from './submit.tsx'

export const ValidatesAhead = createContext(false)

/**
 * A field's own step before the form is sent. Returns false if it must not be sent yet: the field submits it again.
 */
export const BeforeSending = createContext<RefObject<(() => boolean) | null>>({ current: null })

/** Whether the form of a dialog is being sent. Closing it then would not take anything back. */
export const Sending = createContext<RefObject<boolean> | null>(null)

type Data = Record<string, unknown>

type Props = {
  to: Path
  /** It stays after it was saved, which its button says instead of a notice. */
  saves?: boolean
  validatesAhead?: boolean
  /** Sent besides what the fields hold, or made from it. */
  data?: Data | ((fields: Record<string, unknown>) => Data)
  options?: Partial<ComponentProps<typeof InertiaForm>['options']>
  /**
   * For submits that are not visits. Called with the form once all required fields are filled in, and aborted if the
   * form is gone.
   */
  instead?(form: FormComponentRef, signal: AbortSignal): Promise<void>
  children: ReactNode
} & Pick<ComponentProps<typeof InertiaForm>, 'onSuccess'>

/** A form that keeps its input when rejected, shows the reasons in place, and starts fresh after success. */
export function Form({
  to,
  saves = false,
  validatesAhead = false,
  data,
  options,
  instead,
  onSuccess,
  children,
}: Props) {
  const alive = useHydrated()
  const fields = useRef<HTMLDivElement>(null)
  const form = useRef<FormComponentRef>(null)
  const sendingAlone = useRef(false)
  const submitting = use(Sending) ?? sendingAlone
  const underWay = useRef<AbortController>(null) // `instead`
  const beforeSending = useRef<() => boolean>(null)
  const [refusals, setRefusals] = useState(0)
  const [alert, setAlert] = useState<string>()
  const [isSaved, setSaved] = useState(false)
  const [round, setRound] = useState({ number: 0, focused: false })

  useEffect(() => {
    if (refusals > 0) focusFirst(fields, '[role="alert"], [aria-invalid="true"]')
  }, [refusals])
  useEffect(() => () => underWay.current?.abort(), [])
  useEffect(() => {
    if (round.focused) focusFirst(fields, '[type="submit"]')
  }, [round])
  const beginAnew = (page?: { component: string }) => {
    if (page?.component !== 'auth/sign-in') forgetDraft(to) // there, the session had ended, and nothing was done
    setSaved(saves)
    const focused = fields.current?.contains(document.activeElement) ?? false
    setRound(({ number }) => ({ number: number + 1, focused }))
  }

  useEffect(() => {
    const timer = isSaved ? setTimeout(() => setSaved(false), savedMs) : undefined
    return () => clearTimeout(timer)
  }, [isSaved])

  // A file as response is a success too, and the page stays.
  const onFile = useEffectEvent(() => beginAnew())
  useEffect(
    () =>
      router.on('httpException', ({ detail: { response } }) => {
        if (submitting.current && isFile(response)) onFile()
      }),
    [submitting],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time the form starts fresh
  useEffect(() => {
    if (fields.current) putBack(to, fields.current)
  }, [round.number])

  const refuse = (text?: string) => {
    setAlert(text)
    setRefusals((count) => count + 1)
  }
  return (
    <InertiaForm
      key={round.number}
      ref={form}
      // Without the script, a browser would send other methods as GET, with passwords in the URL.
      action={alive ? to : { ...to, method: 'post' }}
      transform={(fields) => ({
        ...fields,
        ...(typeof fields.email === 'string' && { email: asciiAddress(fields.email) }),
        ...(typeof data === 'function' ? data(fields) : data),
      })}
      noValidate // messages are shown beside the fields, in one style
      options={{ preserveScroll: 'errors', ...options }}
      validationTimeout={0} // fields already wait for blur, and a pending validation would be lost on the next render
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
        if (beforeSending.current?.() === false) return false
        if (instead && form.current && !underWay.current) {
          underWay.current = new AbortController()
          instead(form.current, underWay.current.signal).finally(() => {
            underWay.current = null
          })
        }
        return !instead
      }}
      onError={() => refuse()}
      onSuccess={(page) => {
        onSuccess?.(page)
        if (!page.flash.alert) {
          if (saves) take('notice')
          return beginAnew(page)
        }
        // Rejected without naming a field. If another page is shown, that page reports it.
        if (!fields.current?.isConnected) return
        take('alert')
        refuse(alertText(page.flash.alert))
      }}
    >
      <ValidatesAhead value={validatesAhead}>
        <div className="form" ref={fields} onInput={({ currentTarget }) => keepDraft(to, currentTarget)}>
          {alert && (
            <Alert>
              {alert}
              <SupportAfterAlert />
            </Alert>
          )}
          <BeforeSending value={beforeSending}>
            <Saved value={isSaved}>{children}</Saved>
          </BeforeSending>
        </div>
      </ValidatesAhead>
    </InertiaForm>
  )
}

const savedMs = 3_000

/**
 * Finds required fields that are empty, and malformed addresses. Checked here because it needs no server, and because
 * without validation ahead the server treats a malformed address like any other.
 */
function missingIn(fields: HTMLElement | null, { addresses }: { addresses: boolean }) {
  const messages: Record<string, string[]> = {}
  for (const { name, value, validity } of fields?.querySelectorAll<HTMLInputElement>(
    ':is(input, select, textarea)[required]',
  ) ?? []) {
    if (!value) messages[name] = [t("can't be blank")]
    else if (addresses && validity.typeMismatch) messages[name] = [t('is invalid')]
  }
  return messages
}

const focusFirst = (within: RefObject<HTMLElement | null>, selector: string) =>
  within.current?.querySelector<HTMLElement>(selector)?.focus()
