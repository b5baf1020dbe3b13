import { router } from '@inertiajs/react'
import { useState } from 'react'
import type { Provider } from '../../features/auth/props.ts'
import { providersPaths } from '../../features/providers/paths.ts'
import { asLastUsed, LastUsed } from '../auth/last-used.tsx'
import { Button } from '../shared/button.tsx'
import { t } from '../words/t.ts'
import { hasMark, ProviderMark } from './provider-mark.tsx'

type Props = {
  providers: Provider[] | undefined
  verb: 'Sign in' | 'Sign up'
  last?: string | undefined
  invitation?: string | undefined
  returnTo?: string | undefined
}

export function Providers({ providers = [], verb, last, invitation, returnTo }: Props) {
  const [leaving, setLeaving] = useState<string>()
  if (providers.length === 0) return null

  const isRow = providers.length > 1 && providers.every(({ id }) => hasMark(id))
  const begin = (id: string) => {
    if (leaving) return
    setLeaving(id)
    const data = { ...(invitation && { invitation }), ...(returnTo && { return_to: returnTo }) }
    // Nothing else may be pressed until the browser has left.
    router.post(providersPaths.startProvider(id).url, data, {
      preserveState: true,
      onFinish: () => setLeaving(undefined),
    })
  }

  return (
    <div className="providers" data-row={isRow}>
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          data-provider={id}
          aria-disabled={leaving !== undefined}
          {...asLastUsed(last === id)}
          onClick={() => begin(id)}
        >
          <ProviderMark id={id} />
          <span className={isRow ? 'visually-hidden' : undefined}>
            {verb === 'Sign in' ? t('Sign in with {name}', { name }) : t('Sign up with {name}', { name })}
          </span>
          {last === id && <LastUsed />}
        </Button>
      ))}
      <p className="providers-or">{t('or')}</p>
    </div>
  )
}
