import { router } from '@inertiajs/react'
import { providersPaths } from '../../features/providers/paths.ts'
import { storeOf } from '../hooks/store.ts'
import type { WayProps } from '../places.ts'
import { Button } from '../shared/button.tsx'
import { t } from '../words/t.ts'
import { hasMark, ProviderMark } from './provider-mark.tsx'

// No provider may be pressed until the browser has left for another.
let isLeaving = false
const leaving = storeOf(() => isLeaving, false)

function setLeaving(to: boolean) {
  isLeaving = to
  leaving.changed()
}

export function ProviderButton({ way: { id, name = id }, verb, invitation, returnTo }: WayProps) {
  const begin = () => {
    if (isLeaving) return
    setLeaving(true)
    const data = { ...(invitation && { invitation }), ...(returnTo && { return_to: returnTo }) }
    router.post(providersPaths.startProvider(id).url, data, {
      preserveState: true,
      onFinish: () => setLeaving(false),
    })
  }

  return (
    <Button data-provider={id} aria-disabled={leaving.use()} onClick={begin}>
      <ProviderMark id={id} />
      <span className="provider-sentence">
        {verb === 'Sign in' ? t('Sign in with {name}', { name }) : t('Sign up with {name}', { name })}
      </span>
      {!hasMark(id) && (
        <span className="provider-name" aria-hidden="true">
          {name}
        </span>
      )}
    </Button>
  )
}
