import { useFormContext, usePage } from '@inertiajs/react'
import { type ComponentProps, type FocusEvent, type ReactNode, use, useEffect, useId, useRef, useState } from 'react'
import { ValidatesAhead } from './form.tsx'

export type FieldProps = { name: string; label: string; hint?: ReactNode; after?: ReactNode } & ComponentProps<'input'>

/** A labelled input of a form, with its hint and with the server's messages about it. */
export function Field({ name, label, hint, after, onInput, ...input }: FieldProps) {
  const id = useId()
  const { messages, ...typing } = useMessages(name)
  const invalid = messages.length > 0

  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-box">
        <input
          id={id}
          name={name}
          aria-invalid={invalid}
          aria-describedby={`${hint ? `${id}-hint ` : ''}${id}-errors`}
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
      <div className="field-errors" id={`${id}-errors`} aria-live="polite">
        {messages.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
    </div>
  )
}

const pause = 600 // long enough that nobody is corrected in the middle of a word

function useMessages(name: string) {
  const form = useFormContext<Record<string, string>>()
  const { errors } = usePage().props
  const validatesAhead = use(ValidatesAhead)
  const [edited, setEdited] = useState(false)
  const timer = useRef<number>(undefined)
  const latest = useRef(form)
  useEffect(() => {
    latest.current = form
  })
  useEffect(() => () => clearTimeout(timer.current), [])

  const validate = (wait: number) => {
    clearTimeout(timer.current)
    if (!validatesAhead) return
    timer.current = window.setTimeout(() => {
      if (!latest.current?.processing) latest.current?.validate(name) // once submitted, the answer tells everything
    }, wait)
  }

  return {
    // After a full load the messages are the page's; they stand until the field is edited.
    messages: form?.errors[name] ?? (edited ? [] : (errors[name] ?? [])),
    onInput() {
      setEdited(true)
      if (validatesAhead === true) validate(pause)
    },
    // Whoever leaves a field for the submit button is about to be told everything.
    onBlur: ({ relatedTarget }: FocusEvent) => edited && !isSubmit(relatedTarget) && validate(0),
  }
}

const isSubmit = (target: EventTarget | null) => target instanceof HTMLButtonElement && target.type === 'submit'
