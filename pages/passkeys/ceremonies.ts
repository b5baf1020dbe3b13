import { router } from '@inertiajs/react'
import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'
import { type Path, paths } from '../../features/paths.ts'
import { rememberMethod } from '../auth/last-method.tsx'
import { cancel, isCancelled, plain, requestJson } from './webauthn.ts'

type Options = { data: Record<string, string | undefined>; offers: boolean }

const renewed = 240_000 // milliseconds; challenges are valid for five minutes

export function startCeremonies(to: Path, { data, offers }: Options) {
  let left = false
  let current = 0
  let renewal: ReturnType<typeof setTimeout> | undefined

  async function attempt(options: { useBrowserAutofill: boolean }) {
    const mine = ++current
    const optionsJSON = await requestJson<PublicKeyCredentialRequestOptionsJSON>(paths.passkeySignInOptions(), {})
    if (left || mine !== current) return // another attempt has started meanwhile
    const response = await startAuthentication({ optionsJSON, ...options })
    await new Promise<void>((resolve) => {
      router.post(
        to.url,
        { ...data, response: plain(response) },
        { onSuccess: ({ flash }) => offers && !flash.alert && rememberMethod('passkey'), onFinish: () => resolve() },
      )
    })
    offer() // if it was rejected, the page is still there
  }

  /** Offers passkeys in the browser's autofill for the email field. */
  async function offer() {
    clearTimeout(renewal)
    if (left || !offers || !(await browserSupportsWebAuthnAutofill())) return
    renewal = setTimeout(offer, renewed)
    await attempt({ useBrowserAutofill: true }).catch(() => {}) // cancelled or offline: the button reports it
  }

  return {
    offer,

    /** Opens the browser's dialog. Cancelling it is not an error. */
    async choose() {
      clearTimeout(renewal)
      await attempt({ useBrowserAutofill: false }).catch((error) => {
        offer()
        if (!isCancelled(error)) throw error
      })
    },

    leave() {
      left = true
      clearTimeout(renewal)
      cancel()
    },
  }
}
