import { useState } from 'react'
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
          {visible ? 'Hide' : 'Show'}
          <span className="visually-hidden"> {props.label.toLowerCase()}</span>
        </button>
      }
      {...props}
    />
  )
}
