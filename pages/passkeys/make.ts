import { HttpResponseError } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { passkeysPaths } from '../../features/passkeys/paths.ts'
import { cancel, isCancelled, plain, requestJson } from './webauthn.ts'

type Challenge = { password_challenge?: string; passkey_challenge?: string }

type Failure = { errors?: Record<string, string[]>; message?: string }

export async function makePasskey(challenge: Challenge, signal: AbortSignal): Promise<Failure | undefined> {
  const options = await requestJson<PublicKeyCredentialCreationOptionsJSON>(
    passkeysPaths.passkeyOptions(),
    challenge,
  ).catch(failureIn)
  if (!('challenge' in options)) return options
  signal.throwIfAborted()
  signal.addEventListener('abort', cancel)
  try {
    const response = await startRegistration({ optionsJSON: options })
    router.post(passkeysPaths.addPasskey().url, { response: plain(response) }, { preserveScroll: true })
  } catch (error) {
    if (!isCancelled(error)) throw error // nobody has to be told what they did
    return undefined
  }
}

function failureIn(error: unknown): Failure {
  if (!(error instanceof HttpResponseError) || error.response.status !== 422) throw error
  const { errors, message } = JSON.parse(error.response.data)
  return { errors, message }
}
