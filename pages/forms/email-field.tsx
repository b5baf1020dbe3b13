import { t } from '../words/t.ts'
import { asTyped, Field, type FieldProps } from './field.tsx'

/**
 * The last address typed while signed out, so it need not be typed again on the next form. Set only in browsers: on the
 * server, it would be shared between people.
 */
export const typedAddress: { current: string | undefined } = { current: undefined }

type Props = Partial<FieldProps> & {
  autoComplete: string
  onType?(value: string): void
}

export function EmailField({ defaultValue, onType, ...props }: Props) {
  const isOwn = props.autoComplete !== 'email'

  return (
    <Field
      name="email"
      label={t('Email')}
      type="email"
      inputMode="email"
      {...asTyped}
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
