import { useFormContext } from '@inertiajs/react'
import { type ComponentProps, type FocusEvent, type InputEvent, type ReactNode, use, useId, useState } from 'react'
import { useDocumentErrors } from '../visits/document-errors.ts'
import { ownHeaders } from '../visits/requests.ts'
import { messageOf } from '../words/messages.ts'
import { ValidatesAhead } from './form.tsx'

export type Labels = {
  name: string
  label: string
  hint?: ReactNode
  /** Beside the label, such as a link. */
  aside?: ReactNode
  /** Beside the control, such as a button. */
  after?: ReactNode
  /** What to do about a message, keyed by the server's wording in the reader's language. */
  remedies?: Record<string, ReactNode>
  /** In place of the server's message. */
  error?: ReactNode
}

export type FieldProps = Labels & ComponentProps<'input'>

export function Field({ name, label, hint, aside, after, remedies, error, onInput, ...input }: FieldProps) {
  const labels = { name, label, hint, aside, after, remedies, error }
  return <Labelled {...labels}>{(control) => <input {...withInput(control, onInput)} {...input} />}</Labelled>
}

type Control = ReturnType<typeof useControl>['control']

export function Labelled({ aside, after, children, ...labels }: Labels & { children(control: Control): ReactNode }) {
  const { control, error } = useControl(labels)
  return (
    <div className="field">
      <div className="field-label">
        <label htmlFor={control.id}>{labels.label}</label>
        {aside}
      </div>
      <div className="field-box">
        {children(control)}
        {after}
      </div>
      {labels.hint && (
        <div className="field-hint" id={`${control.id}-hint`}>
          {labels.hint}
        </div>
      )}
      <div className="field-error" id={`${control.id}-error`} aria-live="polite">
        {error}
      </div>
    </div>
  )
}

type Listener<E extends Element> = ((event: InputEvent<E>) => void) | undefined

export const withInput = <E extends Element>(control: Control, listener: Listener<E>) => ({
  ...control,
  onInput(event: InputEvent<E>) {
    control.onInput()
    listener?.(event)
  },
})

function useControl({ name, label, hint, remedies, error }: Labels) {
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
      const submits = relatedTarget instanceof HTMLButtonElement && relatedTarget.type === 'submit'
      if (validatesAhead && edited && form && !form.processing && !submits)
        form.validate(name, { headers: ownHeaders() })
    },
  }
}
