import type { InputEvent } from 'react'
import { t } from '../words/t.ts'
import { Field, type FieldProps } from './field.tsx'

/** Six digits from an authenticator app, possibly with a space in between. Submits the form when complete. */
export function CodeField({ label = t('Code'), ...field }: Partial<FieldProps>) {
  return (
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
}

function submitWhenFull({ currentTarget: input }: InputEvent<HTMLInputElement>) {
  if (!/^\p{Nd}{6}$/u.test(input.value.replace(/[\s\p{Pd}\p{Bidi_Control}]/gu, ''))) return
  input.form?.requestSubmit()
  input.select() // if the code is rejected, the next one replaces it
}
