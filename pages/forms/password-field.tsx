import { useState } from 'react'
import { speech, t } from '../words/t.ts'
import { Field, type FieldProps } from './field.tsx'

type Props = Omit<FieldProps, 'type' | 'after' | 'autoComplete'> & { autoComplete: 'current-password' | 'new-password' }

export function PasswordField(props: Props) {
  const [visible, setVisible] = useState(false)

  return (
    <Field
      type={visible ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
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
