import { useState } from 'react'
import { t } from '../words/t.ts'
import { PasswordField } from './password-field.tsx'

const minimum = 12

export function NewPasswordFields({ label = t('Password') }) {
  const [length, setLength] = useState(0)

  return (
    <>
      <PasswordField
        name="password"
        label={label}
        autoComplete="new-password"
        hint={<Length length={length} />}
        onInput={({ currentTarget }) => setLength([...currentTarget.value].length)}
      />
      <PasswordField name="password_confirmation" label={t('Password confirmation')} autoComplete="new-password" />
    </>
  )
}

function Length({ length }: { length: number }) {
  const missing = Math.max(minimum - length, 0)
  return (
    <span className="length">
      <span className="length-bar" aria-hidden="true">
        <span style={{ scale: `${1 - missing / minimum} 1` }} />
      </span>
      {missing === 0
        ? t('Long enough')
        : length === 0
          ? t('At least {minimum} characters', { minimum })
          : t('At least {minimum} characters, {missing} to go', { minimum, missing })}
    </span>
  )
}
