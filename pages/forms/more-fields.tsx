import { type ComponentProps, useRef } from 'react'
import { plainDigits } from '../../plugins/languages/plain.ts'
import { t } from '../words/t.ts'
import { asTyped, Field, type FieldProps, Labelled, type Labels } from './field.tsx'

// Apart from `Field`, since guests need none of them.

export const TextareaField = (props: Labels & ComponentProps<'textarea'>) => <Labelled as="textarea" {...props} />

export const SelectField = (props: Labels & ComponentProps<'select'>) => (
  <Labelled as="select" className="select" {...props} />
)

type CodeFieldProps = Partial<FieldProps> & { digits?: 6 | 8 }

/**
 * Sends its form by itself once all digits are there, however they were typed or pasted.
 * @public
 */
export function CodeField({ label = t('Code'), digits = 6, ...field }: CodeFieldProps) {
  const sent = useRef('')

  const submitWhenFull = (input: HTMLInputElement) => {
    const code = plainDigits(input.value)
    const isFull = /^\d+$/.test(code) && code.length === digits
    const isNew = isFull && code !== sent.current
    sent.current = isFull ? code : ''
    if (!isNew) return // a code is good once: with a second request, the answer to the first would be lost
    input.form?.requestSubmit()
    input.select() // if the code is rejected, the next one replaces it
  }

  return (
    <Field
      name="code"
      label={label}
      inputMode="numeric"
      autoComplete="one-time-code"
      {...asTyped}
      required
      onInput={({ currentTarget }) => submitWhenFull(currentTarget)}
      {...field}
    />
  )
}
