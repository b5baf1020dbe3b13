import { type ComponentType, createContext, type ReactNode, use } from 'react'
import type { Feature } from '../feature.ts'
import type { Places } from '../places.ts'
import { useOn } from './on.ts'

/** The features of the product, for what they themselves show on their pages. */
export const FeaturesContext = createContext<readonly Feature[]>([])

type Surrounding = { [Place in keyof Places]: 'children' extends keyof Places[Place] ? Place : never }[keyof Places]
type Props<Place extends Surrounding> = {
  of: Place
  with: Omit<Places[Place], 'children'>
  children: ReactNode
}

/** What stands at this place, with what options and features of the product put around it or in its place. */
export function Around<Place extends Surrounding>({ of, with: props, children }: Props<Place>) {
  const on = useOn(use(FeaturesContext))
  let around = children
  for (const { parts } of on) {
    const Part = parts?.[of] as ComponentType<Omit<Places[Place], 'children'> & { children: ReactNode }> | undefined
    if (Part) around = <Part {...props}>{around}</Part>
  }
  return around
}
