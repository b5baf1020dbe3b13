import { Field } from './field.tsx'

export function EmailField({ autoComplete }: { autoComplete: 'username' | 'email' }) {
  return (
    <Field
      name="email"
      label="Email"
      type="email"
      inputMode="email"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      autoComplete={autoComplete}
      required
    />
  )
}
