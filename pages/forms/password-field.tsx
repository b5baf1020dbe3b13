import { useState } from 'react'
import { speech, t } from '../words/t.ts'
import { Field, type FieldProps } from './field.tsx'

type Props = Omit<FieldProps, 'type' | 'after' | 'autoComplete'> & { autoComplete: 'current-password' | 'new-password' }

/** A password field that can be shown in plain text. */
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
