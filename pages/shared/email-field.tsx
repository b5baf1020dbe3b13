import { Field, type FieldProps } from './field.tsx'

type Props = { autoComplete: 'username' | 'email' } & Pick<FieldProps, 'defaultValue'>

export function EmailField(props: Props) {
  return (
    <Field
      name="email"
      label="Email"
      type="email"
      inputMode="email"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
      {...props}
    />
  )
}
