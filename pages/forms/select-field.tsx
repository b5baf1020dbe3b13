import type { ComponentProps } from 'react'
import { Labelled, type Labels } from './labelled.tsx'

/** A labelled select, whose options are its children. */
export const SelectField = ({ name, label, hint, error, ...select }: Labels & ComponentProps<'select'>) => (
  <Labelled {...{ name, label, hint, error }}>
    {(control) => <select {...control} className="select" {...select} />}
  </Labelled>
)
