import { usePage } from '@inertiajs/react'
import type { ReactNode } from 'react'
import { tintOf } from './avatar.tsx'
import { archOf } from './brand.tsx'

type Props = { bands?: number; lit?: number }

/** The arch inside: the colour of the page's workspace in its head, and its bands lit from the door outwards. */
export function Arch({ bands = 3, lit = 0 }: Props) {
  const { account } = usePage<{ account?: { name: string } }>().props
  const inner = Array.from({ length: bands }, (_, index) => 280 - (220 * (index + 1)) / bands)
  return (
    <svg className="arch" viewBox="-2 0 564 640" aria-hidden="true">
      <path d={archOf(280)} />
      <path className="arch-head" d="M0 280a280 280 0 0 1 560 0Z" style={account && { fill: tintOf(account.name) }} />
      {inner.map((radius, index) => (
        <path key={radius} d={archOf(radius)} data-lit={index >= bands - lit} />
      ))}
    </svg>
  )
}

/** What stands where there is nothing yet: why, and what can be done. */
export const Empty = ({ children }: { children: ReactNode }) => (
  <div className="empty">
    <Arch lit={1} />
    {children}
  </div>
)
