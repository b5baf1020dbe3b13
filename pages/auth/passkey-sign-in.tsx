import { useEffect, useRef } from 'react'
import { useHydrated } from '../hooks/hydrated.ts'
import { Button } from '../shared/button.tsx'
import { KeyIcon } from '../shared/icons.tsx'
import { showAlert } from '../visits/alerts.ts'
import type { startCeremonies, Way } from './passkeys.ts'

type Ceremonies = ReturnType<typeof startCeremonies>

/** The way in without a password. Where the browser can, it offers passkeys by itself beside the email field as well. */
export function PasskeySignIn(way: Way) {
  const alive = useHydrated()
  const loading = useRef<Promise<Ceremonies>>(undefined)
  const load = () => {
    loading.current ??= import('./passkeys.ts').then(({ startCeremonies }) => startCeremonies(way))
    return loading.current
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that the page is shown
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
      <Button size="large" disabled={!alive} onClick={choose}>
        <KeyIcon /> Sign in with a passkey
      </Button>
      <p>No password: your finger, your face or the PIN of your device.</p>
    </div>
  )
}

const offersByItself = async () =>
  'PublicKeyCredential' in window && (await PublicKeyCredential.isConditionalMediationAvailable?.())

const ignore = () => {} // the button is still there, and says what is wrong
