import { HttpResponseError } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { paths } from '../../features/paths.ts'
import { plain, requestJson } from '../visits/request-json.ts'
import { Refused } from './refused.ts'

type Errors = Record<string, string[]>
type Challenge = { password_challenge?: string; passkey_challenge?: string }

/**
 * Creates a passkey, unless aborted before, and returns the form's errors if the challenge fails. Loaded on demand,
 * together with the library.
 */
export async function makePasskey(challenge: Challenge, signal: AbortSignal): Promise<Errors | undefined> {
  const options = await requestJson<PublicKeyCredentialCreationOptionsJSON>(paths.passkeyOptions(), challenge).catch(
    errorsIn,
  )
  if ('errors' in options) return options.errors
  signal.throwIfAborted()
  signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony())
  const response = await startRegistration({ optionsJSON: options })
  router.post(paths.addPasskey().url, { response: plain(response) }, { preserveScroll: true })
}

function errorsIn(error: unknown): { errors: Errors } {
  if (!(error instanceof HttpResponseError) || error.response.status !== 422) throw error
  const { errors, message } = JSON.parse(error.response.data)
  if (message) throw new Refused(message)
  return { errors }
}
