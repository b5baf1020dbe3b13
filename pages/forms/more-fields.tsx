import type { ComponentProps, InputEvent } from 'react'
import { t } from '../words/t.ts'
import { asTyped, Field, type FieldProps, Labelled, type Labels } from './field.tsx'

// Apart from `Field`, since guests need none of them.

export const TextareaField = (props: Labels & ComponentProps<'textarea'>) => <Labelled as="textarea" {...props} />

export const SelectField = (props: Labels & ComponentProps<'select'>) => (
  <Labelled as="select" className="select" {...props} />
)

export const CodeField = ({ label = t('Code'), ...field }: Partial<FieldProps>) => (
  <Field
    name="code"
    label={label}
    inputMode="numeric"
    autoComplete="one-time-code"
    {...asTyped}
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
