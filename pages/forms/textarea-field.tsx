import type { ComponentProps } from 'react'
import { Labelled, type Labels } from './labelled.tsx'

/** A labelled field for several lines. */
export const TextareaField = ({ name, label, hint, error, onInput, ...area }: Labels & ComponentProps<'textarea'>) => (
  <Labelled {...{ name, label, hint, error }}>
    {(control) => (
      <textarea
        {...control}
        onInput={(event) => {
          control.onInput()
          onInput?.(event)
        }}
        {...area}
      />
    )}
  </Labelled>
)
