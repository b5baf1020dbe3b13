import type { ComponentProps } from 'react'
import { plainDigits } from '../../plugins/languages/digits.ts'
import { t } from '../words/t.ts'
import { asTyped, Field, type FieldProps, Labelled, type Labels } from './field.tsx'

// Apart from `Field`, since guests need none of them.

export const TextareaField = (props: Labels & ComponentProps<'textarea'>) => <Labelled as="textarea" {...props} />

export const SelectField = (props: Labels & ComponentProps<'select'>) => (
  <Labelled as="select" className="select" {...props} />
)

type CodeFieldProps = Partial<FieldProps> & { digits?: 6 | 8 }

export const CodeField = ({ label = t('Code'), digits = 6, ...field }: CodeFieldProps) => (
  <Field
    name="code"
    label={label}
    inputMode="numeric"
    autoComplete="one-time-code"
    {...asTyped}
    required
    onInput={({ currentTarget }) => submitWhenFull(currentTarget, digits)}
    {...field}
  />
)

function submitWhenFull(input: HTMLInputElement, digits: number) {
  if (!/^\d+$/.test(plainDigits(input.value)) || plainDigits(input.value).length !== digits) return
  input.form?.requestSubmit()
  input.select() // if the code is rejected, the next one replaces it
}
