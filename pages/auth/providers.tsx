import { router } from '@inertiajs/react'
import { useState } from 'react'
import type { Provider } from '../../features/auth/props.ts'
import { paths } from '../../features/paths.ts'
import { Button } from '../shared/button.tsx'
import { ProviderMark } from '../shared/provider-mark.tsx'
import { tryWayIn, useLastWayIn } from '../visits/way-in.ts'
import { t } from '../words/t.ts'
import { asLastUsed, LastUsed } from './last-used.tsx'

type Props = {
  providers: Provider[] | undefined
  verb: 'Sign in' | 'Sign up'
  invitation?: string | undefined
  returnTo?: string | undefined
}

/** A button for each provider, in its own look, and what stands between them and the form. */
export function Providers({ providers = [], verb, invitation, returnTo }: Props) {
  const [leaving, setLeaving] = useState<string>()
  const last = useLastWayIn()
  if (providers.length === 0) return null

  const begin = (id: string) => {
    if (leaving) return
    setLeaving(id)
    tryWayIn(id)
    const data = { ...(invitation && { invitation }), ...(returnTo && { return_to: returnTo }) }
    // Until the browser has left, or is back: nothing else may be pressed meanwhile.
    router.post(paths.startProvider(id).url, data, { preserveState: true, onFinish: () => setLeaving(undefined) })
  }

  return (
    <div className="providers">
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          size="large"
          data-provider={id}
          aria-disabled={leaving !== undefined}
          {...asLastUsed(verb === 'Sign in' && last === id)}
          onClick={() => begin(id)}
        >
          <ProviderMark id={id} />
          {verb === 'Sign in' ? t('Sign in with {name}', { name }) : t('Sign up with {name}', { name })}
          {verb === 'Sign in' && last === id && <LastUsed />}
        </Button>
      ))}
      <p className="providers-or">{t('or')}</p>
    </div>
  )
}
