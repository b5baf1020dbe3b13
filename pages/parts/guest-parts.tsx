import type { ComponentType } from 'react'
import { guestFeatures } from '../guest-features.ts'
import type { GuestPlaces } from '../places.ts'
import { useOn } from './on.ts'

type Props<Place extends keyof GuestPlaces> = { of: Place; with: GuestPlaces[Place] }

/** What options show at this place of a guest's page. */
export function GuestParts<Place extends keyof GuestPlaces>({ of, with: props }: Props<Place>) {
  return useOn(guestFeatures).map(({ option, parts }) => {
    const Part: ComponentType<GuestPlaces[Place]> | undefined = parts[of]
    return Part && <Part key={option} {...props} />
  })
}
