import { HttpResponseError, http } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { passkeysPaths } from '../../features/passkeys/paths.ts'
import type { Path } from '../../features/paths.ts'
import { showAlert } from '../visits/alerts.ts'
import { tooMany } from '../visits/failures.ts'
import { ignore, signals } from './credential-signals.ts'

/**
 * Asks for one of the person's passkeys and returns what it signed, as the form sends it. Undefined if they cancel,
 * or if it is no longer wanted.
 */
export async function answerChallenge(isWanted: () => boolean) {
  const optionsJSON = await requestJson<PublicKeyCredentialRequestOptionsJSON>(passkeysPaths.passkeyChallenge(), {})
  if (!isWanted()) return undefined
  try {
    return JSON.stringify(await startAuthentication({ optionsJSON }))
  } catch (error) {
    if (isCancelled(error)) return undefined
    throw error
  }
}

export const cancel = () => WebAuthnAbortService.cancelCeremony()

/** Requests JSON instead of a page. Throws the HTTP client's error on any other response. */
export async function requestJson<Answer>({ method, url }: Path, body?: object): Promise<Answer> {
  const headers = { Accept: 'application/json' }
  const { data } = await http
    .getClient()
    .request({ method, url, data: body, headers })
    .catch((error) => {
      // The session has ended, or is someone else's. A visit leads to where that is explained.
      const status = error instanceof HttpResponseError && error.response.status
      if (status === 401 || status === 409) router.reload({ only: ['auth'] })
      throw error
    })
  return JSON.parse(data)
}

export const isCancelled = (error: unknown) => error instanceof Error && /^(NotAllowed|Abort)Error$/.test(error.name)

export const isTooMany = (error: unknown) => error instanceof HttpResponseError && error.response.status === 429

export const plain = (thing: object) => JSON.parse(JSON.stringify(thing))

type Options = { data: Record<string, string | undefined>; offers: boolean }

const renewed = 240_000 // milliseconds; challenges are valid for five minutes

export function startCeremonies(to: Path, { data, offers }: Options) {
  let left = false
  let current = 0
  let renewal: ReturnType<typeof setTimeout> | undefined

  async function attempt(options: { useBrowserAutofill: boolean }) {
    const number = ++current
    const optionsJSON = await requestJson<PublicKeyCredentialRequestOptionsJSON>(
      passkeysPaths.passkeySignInOptions(),
      {},
    )
    if (left || number !== current) return // another attempt has started meanwhile
    const response = await startAuthentication({ optionsJSON, ...options })
    await new Promise<void>((resolve) => {
      router.post(
        to.url,
        { ...data, response: plain(response) },
        {
          onSuccess({ props }) {
            const refused = { rpId: optionsJSON.rpId ?? location.hostname, credentialId: response.id }
            if (props.unknown_passkey) signals()?.signalUnknownCredential?.(refused).catch(ignore)
          },
          onFinish: () => resolve(),
        },
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
        if (isTooMany(error)) showAlert({ text: tooMany() })
        else if (!isCancelled(error)) throw error
      })
    },

    leave() {
      left = true
      clearTimeout(renewal)
      cancel()
    },
  }
}
