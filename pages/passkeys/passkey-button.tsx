import { type ReactNode, useEffect, useRef } from 'react'
import type { Path } from '../../features/paths.ts'
import { useHydrated } from '../hooks/store.ts'
import { Button } from '../shared/button.tsx'
import { Icon } from '../shared/icon.tsx'
import { loaded } from '../shared/part.ts'
import { showAlert } from '../visits/alerts.ts'
import { t } from '../words/t.ts'
import type { startCeremonies } from './webauthn.ts'

type Ceremonies = ReturnType<typeof startCeremonies>

type Props = {
  to: Path
  data?: Record<string, string | undefined>
  label: string
  children?: ReactNode
  /** Also offers passkeys in the email field, if the browser can. */
  offers?: boolean
}

export function PasskeyButton({ to, data = {}, label, children, offers = false }: Props) {
  const alive = useHydrated()
  const loading = useRef<Promise<Ceremonies>>(undefined)
  const load = () => {
    loading.current ??= import('./webauthn.ts').then(({ startCeremonies }) => startCeremonies(to, { data, offers }))
    loading.current.catch(() => {
      loading.current = undefined // tried again by the next press
    })
    return loading.current
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time the page is shown
  useEffect(() => {
    let left = false
    if (offers) {
      offersByItself().then((can) => {
        if (can && !left) load().then((ceremonies) => ceremonies.offer(), ignore)
      }, ignore)
    }
    return () => {
      left = true
      loading.current?.then((ceremonies) => ceremonies.leave(), ignore)
      loading.current = undefined
    }
  }, [])

  async function choose() {
    const ceremonies = await loaded(load)
    await ceremonies
      ?.choose()
      .catch(() => showAlert({ text: t("That passkey didn't work. Try again, or use your password.") }))
  }

  if (alive && !('PublicKeyCredential' in window)) return null
  return (
    <>
      <Button onClick={choose}>
        <Icon name="key" /> {label}
      </Button>
      {children && <p>{children}</p>}
    </>
  )
}

const offersByItself = async () =>
  'PublicKeyCredential' in window && (await PublicKeyCredential.isConditionalMediationAvailable?.())

const ignore = () => {} // the button still works and reports the error
