import { useEffect, useRef } from 'react'
import { useHydrated } from '../hooks/hydrated.ts'
import { Button } from '../shared/button.tsx'
import { KeyIcon } from '../shared/icons.tsx'
import { showAlert } from '../visits/alerts.ts'
import type { startCeremonies, Way } from './passkeys.ts'

type Ceremonies = ReturnType<typeof startCeremonies>

/** Sign-in without a password. If the browser can, it also offers passkeys in the email field. */
export function PasskeySignIn(way: Way) {
  const alive = useHydrated()
  const loading = useRef<Promise<Ceremonies>>(undefined)
  const load = () => {
    loading.current ??= import('./passkeys.ts').then(({ startCeremonies }) => startCeremonies(way))
    return loading.current
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time the page is shown
  useEffect(() => {
    let left = false
    offersByItself().then((offers) => {
      if (offers && !left) load().then((ceremonies) => ceremonies.offer(), ignore)
    }, ignore)
    return () => {
      left = true
      loading.current?.then((ceremonies) => ceremonies.leave(), ignore)
      loading.current = undefined
    }
  }, [])

  const choose = () =>
    load()
      .then((ceremonies) => ceremonies.choose())
      .catch(() => showAlert({ text: "That passkey didn't work. Try again, or use your password." }))

  if (alive && !('PublicKeyCredential' in window)) return null
  return (
    <div className="auth-passkey">
      <Button size="large" onClick={choose}>
        <KeyIcon /> Sign in with a passkey
      </Button>
      <p>No password: your finger, your face or the PIN of your device.</p>
    </div>
  )
}

const offersByItself = async () =>
  'PublicKeyCredential' in window && (await PublicKeyCredential.isConditionalMediationAvailable?.())

const ignore = () => {} // the button still works and reports the error
