import type { ComponentType, ReactNode } from 'react'
import { features } from '../features.ts'
import type { Places } from '../places.ts'
import { useOn } from './on.ts'

type Props<Place extends keyof Places> = {
  of: Place
  with: Places[Place]
  /** What stands there if nothing else does. */
  otherwise?: ReactNode
}

/** What options and features of the product show at this place. */
export function Parts<Place extends keyof Places>({ of, with: props, otherwise }: Props<Place>) {
  const parts: ComponentType<Places[Place]>[] = useOn(features).flatMap(({ parts }) => parts?.[of] ?? [])
  // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
  return parts.length > 0 ? parts.map((Part, index) => <Part key={index} {...props} />) : otherwise
}

/** Whether an option or a feature of the product shows something at this place. */
export const useHasPart = (place: keyof Places) => useOn(features).some(({ parts }) => parts?.[place] !== undefined)

/** Whether an option that is on has any: it then has a second step. */
export const useHasSecondFactors = () => useHasPart('auth/second-factor')
