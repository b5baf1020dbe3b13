import type { ComponentProps } from 'react'
import { Labelled, type Labels } from './labelled.tsx'

export type FieldProps = Labels & ComponentProps<'input'>

/** A labelled input with its hint and its error message. */
export const Field = ({ name, label, hint, after, remedies, error, onInput, ...input }: FieldProps) => (
  <Labelled {...{ name, label, hint, after, remedies, error }}>
    {(control) => (
      <input
        {...control}
        onInput={(event) => {
          control.onInput()
          onInput?.(event)
        }}
        {...input}
      />
    )}
  </Labelled>
)
