import type { ComponentType } from 'react'
import { features } from '../features.ts'
import type { Places } from '../places.ts'
import { useOn } from './on.ts'

type Props<Place extends keyof Places> = { of: Place; with: Places[Place] }

/** What options and features of the product show at this place. */
export function Parts<Place extends keyof Places>({ of, with: props }: Props<Place>) {
  return useOn(features).map(({ parts }, index) => {
    const Part: ComponentType<Places[Place]> | undefined = parts?.[of]
    // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
    return Part && <Part key={index} {...props} />
  })
}
