import { router } from '@inertiajs/react'
import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { paths } from '../../features/paths.ts'
import { ask, plain } from '../visits/ask.ts'

export type Way = { invitation?: string | undefined; return_to?: string | undefined }

const renewed = 240_000 // milliseconds; challenges are valid for five minutes

/** Passkeys on the sign-in page. Loaded on demand, together with the library. */
export function startCeremonies(way: Way) {
  let left = false
  let current = 0
  let renewal: ReturnType<typeof setTimeout> | undefined

  async function attempt(options: { useBrowserAutofill: boolean }) {
    const mine = ++current
    const optionsJSON = await ask<PublicKeyCredentialRequestOptionsJSON>(paths.passkeySignInOptions(), {})
    if (left || mine !== current) return // another attempt has started meanwhile
    const response = await startAuthentication({ optionsJSON, ...options })
    await new Promise<void>((resolve) => {
      router.post(paths.signInWithPasskey().url, { response: plain(response), ...way }, { onFinish: () => resolve() })
    })
    offer() // if it was rejected, the page is still there
  }

  /** Offers passkeys in the browser's autofill for the email field. */
  async function offer() {
    clearTimeout(renewal)
    if (left || !(await browserSupportsWebAuthnAutofill())) return
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
        if (!isCalledOff(error)) throw error
      })
    },

    leave() {
      left = true
      clearTimeout(renewal)
      WebAuthnAbortService.cancelCeremony()
    },
  }
}

const isCalledOff = (error: unknown) => error instanceof Error && /^(NotAllowed|Abort)Error$/.test(error.name)
