import { HttpResponseError, http } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { type Path, paths } from '../../features/paths.ts'

/**
 * Asks for one of the person's passkeys and returns what it signed, as the form sends it. Undefined if they cancel,
 * or if it is no longer wanted.
 */
export async function answerChallenge(isWanted: () => boolean) {
  const optionsJSON = await requestJson<PublicKeyCredentialRequestOptionsJSON>(paths.passkeyChallenge(), {})
  if (!isWanted()) return undefined
  try {
    return JSON.stringify(await startAuthentication({ optionsJSON }))
  } catch (error) {
    if (isCancelled(error)) return undefined
    throw error
  }
}

export const cancel = () => WebAuthnAbortService.cancelCeremony()

type Challenge = { password_challenge?: string; passkey_challenge?: string }

type Failure = { errors?: Record<string, string[]>; message?: string; isCancelled?: true }

export async function makePasskey(challenge: Challenge, signal: AbortSignal): Promise<Failure | undefined> {
  const options = await requestJson<PublicKeyCredentialCreationOptionsJSON>(paths.passkeyOptions(), challenge).catch(
    failureIn,
  )
  if (!('challenge' in options)) return options
  signal.throwIfAborted()
  signal.addEventListener('abort', cancel)
  try {
    const response = await startRegistration({ optionsJSON: options })
    router.post(paths.addPasskey().url, { response: plain(response) }, { preserveScroll: true })
  } catch (error) {
    if (isCancelled(error)) return { isCancelled: true }
    throw error
  }
}

function failureIn(error: unknown): Failure {
  if (!(error instanceof HttpResponseError) || error.response.status !== 422) throw error
  const { errors, message } = JSON.parse(error.response.data)
  return { errors, message }
}

/** Requests JSON instead of a page. Throws the HTTP client's error on any other response. */
export async function requestJson<Answer>({ method, url }: Path, body: object): Promise<Answer> {
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

export const plain = (thing: object) => JSON.parse(JSON.stringify(thing))
