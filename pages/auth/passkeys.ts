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

const renewed = 240_000 // milliseconds; a challenge counts for five minutes

/** What the sign-in page does with passkeys. Loaded on demand: the library comes with it. */
export function startCeremonies(way: Way) {
  let left = false
  let current = 0
  let renewal: ReturnType<typeof setTimeout> | undefined

  async function attempt(options: { useBrowserAutofill: boolean }) {
    const mine = ++current
    const optionsJSON = await ask<PublicKeyCredentialRequestOptionsJSON>(paths.passkeySignInOptions(), {})
    if (left || mine !== current) return // another one has begun meanwhile
    const response = await startAuthentication({ optionsJSON, ...options })
    await new Promise<void>((resolve) => {
      router.post(paths.signInWithPasskey().url, { response: plain(response), ...way }, { onFinish: () => resolve() })
    })
    offer() // refused, the page is still there
  }

  /** Beside the email field, where the browser shows what it knows of this person. */
  async function offer() {
    clearTimeout(renewal)
    if (left || !(await browserSupportsWebAuthnAutofill())) return
    renewal = setTimeout(offer, renewed)
    await attempt({ useBrowserAutofill: true }).catch(() => {}) // given up, or out of reach: the button will say so
  }

  return {
    offer,

    /** Now, whatever the browser calls it. Whoever calls it off wants nothing more. */
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
