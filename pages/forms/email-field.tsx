import { t } from '../words/t.ts'
import { Field, type FieldProps } from './field.tsx'
import { typedAddress } from './typed-address.ts'

type Props = { autoComplete: 'username' | 'username webauthn' | 'email' } & Pick<
  FieldProps,
  'defaultValue' | 'hint' | 'readOnly' | 'after' | 'autoFocus' | 'remedies' | 'ref'
> & { onType?(value: string): void }

export function EmailField({ defaultValue, onType, ...props }: Props) {
  const isOwn = props.autoComplete !== 'email'

  return (
    <Field
      name="email"
      label={t('Email')}
      type="email"
      inputMode="email"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
      defaultValue={defaultValue ?? (isOwn ? typedAddress.current : undefined)}
      onInput={({ currentTarget: { value } }) => {
        if (isOwn) typedAddress.current = value
        onType?.(value)
      }}
      {...props}
    />
  )
}
