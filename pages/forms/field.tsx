import { useFormContext, usePage } from '@inertiajs/react'
import { type ComponentProps, type FocusEvent, type ReactNode, use, useId, useState } from 'react'
import { messageOf } from '../words/messages.ts'
import { ValidatesAhead } from './form.tsx'

export type FieldProps = {
  name: string
  label: string
  hint?: ReactNode
  after?: ReactNode
  /** What to do about a message, keyed by the server's wording in the reader's language. */
  remedies?: Record<string, ReactNode>
} & ComponentProps<'input'>

/** A labelled input with its hint and its error message. */
export function Field({ name, label, hint, after, remedies, onInput, ...input }: FieldProps) {
  const id = useId()
  const { message, ...typing } = useMessage(name)

  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-box">
        <input
          id={id}
          name={name}
          aria-invalid={message !== undefined}
          aria-describedby={`${hint ? `${id}-hint ` : ''}${id}-error`}
          onInput={(event) => {
            typing.onInput()
            onInput?.(event)
          }}
          onBlur={typing.onBlur}
          {...input}
        />
        {after}
      </div>
      {hint && (
        <div className="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      <div className="field-error" id={`${id}-error`} aria-live="polite">
        {message && (
          <p>
            {messageOf(name, label, message)} {remedies?.[message]}
          </p>
        )}
      </div>
    </div>
  )
}

/** The field's first message. Validation runs on blur, and typing clears the message. */
function useMessage(name: string) {
  const form = useFormContext<Record<string, string>>()
  const { errors } = usePage().props
  const validatesAhead = use(ValidatesAhead)
  const [edited, setEdited] = useState(false)

  return {
    // After a full page load, the page's messages apply until the field is edited.
    message: (form?.errors[name] ?? (edited ? [] : errors[name]))?.[0],
    onInput() {
      setEdited(true)
      if (form?.errors[name]) form.clearErrors(name)
    },
    onBlur({ relatedTarget }: FocusEvent) {
      // A submit follows and validates everything.
      if (validatesAhead && edited && form && !form.processing && !isSubmit(relatedTarget)) form.validate(name)
    },
  }
}

const isSubmit = (target: EventTarget | null) => target instanceof HTMLButtonElement && target.type === 'submit'
