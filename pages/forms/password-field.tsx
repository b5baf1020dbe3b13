import { useState } from 'react'
import { minPasswordLength } from '../../features/bounds.ts'
import { speech, t } from '../words/t.ts'
import { asTyped, Field, type FieldProps } from './field.tsx'

type Props = Omit<FieldProps, 'type' | 'after' | 'autoComplete'> & { autoComplete: 'current-password' | 'new-password' }

export function PasswordField(props: Props) {
  const [visible, setVisible] = useState(false)

  return (
    <Field
      type={visible ? 'text' : 'password'}
      {...asTyped}
      required
      after={
        <button type="button" className="field-button" onClick={() => setVisible(!visible)}>
          {visible ? t('Hide') : t('Show')}
          <span className="visually-hidden"> {inSentence(props.label)}</span>
        </button>
      }
      {...props}
    />
  )
}

// German nouns keep their capitals, and Arabic has none.
const inSentence = (label: string) => (speech().tag === 'en' ? label.toLowerCase() : label)

/** Tells password managers which user a form is about. Not submitted. */
export const Username = ({ of }: { of: { email: string } }) => (
  <input type="text" autoComplete="username" value={of.email} readOnly hidden />
)

/** Asks once, since people can look at what they typed. Its form sends the confirmation with `withConfirmation`. */
export function NewPasswordField({ label = t('Password'), autoFocus = false }) {
  const [length, setLength] = useState(0)

  return (
    <PasswordField
      name="password"
      label={label}
      autoComplete="new-password"
      autoFocus={autoFocus}
      hint={<Length length={length} />}
      onInput={({ currentTarget }) => setLength([...currentTarget.value].length)}
    />
  )
}

export const withConfirmation = ({ password }: Record<string, unknown>) => ({ password_confirmation: password })

function Length({ length }: { length: number }) {
  const missing = Math.max(minPasswordLength - length, 0)
  return (
    <span className="length">
      <span className="length-bar" aria-hidden="true">
        <span style={{ scale: `${1 - missing / minPasswordLength} 1` }} />
      </span>
      {missing === 0
        ? t('Long enough')
        : length === 0
          ? t('At least {minimum} characters', { minimum: minPasswordLength })
          : t('At least {minimum} characters, {missing} to go', { minimum: minPasswordLength, missing })}
    </span>
  )
}
