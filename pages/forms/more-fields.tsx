import type { ComponentProps, InputEvent } from 'react'
import { t } from '../words/t.ts'
import { Field, type FieldProps, Labelled, type Labels, withInput } from './field.tsx'

// Apart from `Field`, since guests need none of them.

export function TextareaField({ name, label, hint, error, onInput, ...area }: Labels & ComponentProps<'textarea'>) {
  const labels = { name, label, hint, error }
  return <Labelled {...labels}>{(control) => <textarea {...withInput(control, onInput)} {...area} />}</Labelled>
}

/** Its options are its children. */
export function SelectField({ name, label, hint, error, ...select }: Labels & ComponentProps<'select'>) {
  return (
    <Labelled {...{ name, label, hint, error }}>
      {(control) => <select {...control} className="select" {...select} />}
    </Labelled>
  )
}

export const CodeField = ({ label = t('Code'), ...field }: Partial<FieldProps>) => (
  <Field
    name="code"
    label={label}
    inputMode="numeric"
    autoComplete="one-time-code"
    autoCorrect="off"
    spellCheck={false}
    required
    onInput={submitWhenFull}
    {...field}
  />
)

function submitWhenFull({ currentTarget: input }: InputEvent<HTMLInputElement>) {
  if (!/^\p{Nd}{6}$/u.test(input.value.replace(/[\s\p{Pd}\p{Bidi_Control}]/gu, ''))) return
  input.form?.requestSubmit()
  input.select() // if the code is rejected, the next one replaces it
}
