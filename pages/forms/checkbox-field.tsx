import type { ComponentProps } from 'react'
import { Below, type Labels, useControl } from './labelled.tsx'

type Props = Omit<Labels, 'after'> & Omit<ComponentProps<'input'>, 'type' | 'value'>

/** A checkbox with its label beside it. Sent as `true`, and not at all unless it is checked. */
export function CheckboxField({ name, label, hint, remedies, error, onInput, ...input }: Props) {
  const { control, error: shown } = useControl({ name, label, hint, remedies, error })
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          value="true"
          {...control}
          onInput={(event) => {
            control.onInput()
            onInput?.(event)
          }}
          {...input}
        />
        {label}
      </label>
      <Below id={control.id} hint={hint} error={shown} />
    </div>
  )
}
