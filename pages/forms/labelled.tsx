import { useFormContext } from '@inertiajs/react'
import { type FocusEvent, type ReactNode, use, useId, useState } from 'react'
import { useDocumentErrors } from '../visits/document-errors.ts'
import { ownHeaders } from '../visits/requests.ts'
import { messageOf } from '../words/messages.ts'
import { ValidatesAhead } from './form.tsx'

export type Labels = {
  name: string
  label: string
  hint?: ReactNode
  after?: ReactNode
  /** What to do about a message, keyed by the server's wording in the reader's language. */
  remedies?: Record<string, ReactNode>
  /** In place of the server's message. */
  error?: ReactNode
}

type Props = Labels & { children(control: ReturnType<typeof useControl>['control']): ReactNode }

/** Puts a label above a control, and its hint and its error message below. */
export function Labelled({ label, hint, after, children, ...rest }: Props) {
  const { control, error } = useControl({ label, hint, ...rest })
  return (
    <div className="field">
      <label htmlFor={control.id}>{label}</label>
      <div className="field-box">
        {children(control)}
        {after}
      </div>
      <Below id={control.id} hint={hint} error={error} />
    </div>
  )
}

/** What stands below a control. */
export const Below = ({ id, hint, error }: { id: string; hint: ReactNode; error: ReactNode }) => (
  <>
    {hint && (
      <div className="field-hint" id={`${id}-hint`}>
        {hint}
      </div>
    )}
    <div className="field-error" id={`${id}-error`} aria-live="polite">
      {error}
    </div>
  </>
)

/** The attributes that connect a control with its label, hint and message. */
export function useControl({ name, label, hint, remedies, error }: Omit<Labels, 'after'>) {
  const id = useId()
  const { message, ...typing } = useMessage(name)
  const described = message && (
    <p>
      {messageOf(name, label, message)} {remedies?.[message]}
    </p>
  )
  const shown = error ?? described
  const control = {
    id,
    name,
    'aria-invalid': Boolean(shown),
    'aria-describedby': `${hint ? `${id}-hint ` : ''}${id}-error`,
    ...typing,
  }
  return { control, error: shown }
}

/** The field's first message. Validation runs on blur, and typing clears the message. */
function useMessage(name: string) {
  const form = useFormContext<Record<string, string>>()
  const errors = useDocumentErrors()
  const validatesAhead = use(ValidatesAhead)
  const [edited, setEdited] = useState(false)

  return {
    // Those of the document apply until the field is edited.
    message: (form?.errors[name] ?? (edited ? [] : errors[name]))?.[0],
    onInput() {
      setEdited(true)
      if (form?.errors[name]) form.clearErrors(name)
    },
    onBlur({ relatedTarget }: FocusEvent) {
      // A submit follows and validates everything.
      if (!validatesAhead || !edited || !form || form.processing || isSubmit(relatedTarget)) return
      form.validate(name, { headers: ownHeaders() })
    },
  }
}

const isSubmit = (target: EventTarget | null) => target instanceof HTMLButtonElement && target.type === 'submit'
