import { useFormContext, usePage } from '@inertiajs/react'
import { type ComponentProps, type FocusEvent, type ReactNode, use, useId, useState } from 'react'
import { messageOf } from '../words/messages.ts'
import { ValidatesAhead } from './form.tsx'

export type FieldProps = {
  name: string
  label: string
  hint?: ReactNode
  after?: ReactNode
  /** What to do about a message of the server, by its words. */
  remedies?: Record<string, ReactNode>
} & ComponentProps<'input'>

/** A labelled input of a form, with its hint and with what is wrong with it. */
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

/** The first message about a field: it is judged when it is left, and left alone while it is typed in. */
function useMessage(name: string) {
  const form = useFormContext<Record<string, string>>()
  const { errors } = usePage().props
  const validatesAhead = use(ValidatesAhead)
  const [edited, setEdited] = useState(false)

  return {
    // After a full load the messages are the page's; they stand until the field is edited.
    message: (form?.errors[name] ?? (edited ? [] : errors[name]))?.[0],
    onInput() {
      setEdited(true)
      if (form?.errors[name]) form.clearErrors(name)
    },
    onBlur({ relatedTarget }: FocusEvent) {
      // Whoever leaves a field for the submit button is about to be told everything.
      if (validatesAhead && edited && form && !form.processing && !isSubmit(relatedTarget)) form.validate(name)
    },
  }
}

const isSubmit = (target: EventTarget | null) => target instanceof HTMLButtonElement && target.type === 'submit'
