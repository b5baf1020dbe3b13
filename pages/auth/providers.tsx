import { type CSSProperties, Suspense } from 'react'
import { useHydrated } from '../hooks/hydrated.ts'
import { part } from '../visits/part.ts'
import type { Offered } from './provider-buttons.tsx'

const ProviderButtons = part(() => import('./provider-buttons.tsx'))

/** Loads the buttons only where there are some, and leaves room for them until then. */
export function Providers({
  providers = [],
  ...rest
}: Omit<Offered, 'providers'> & { providers: Offered['providers'] | undefined }) {
  const alive = useHydrated() // the server would have to wait for them
  if (providers.length === 0) return null
  return (
    <div className="providers" style={{ '--buttons': providers.length } as CSSProperties}>
      {alive && (
        <Suspense>
          <ProviderButtons providers={providers} {...rest} />
        </Suspense>
      )}
    </div>
  )
}
