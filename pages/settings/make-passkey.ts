import { HttpResponseError } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { paths } from '../../features/paths.ts'
import { ask, plain } from '../visits/ask.ts'

type Errors = Record<string, string[]>

/**
 * Creates a passkey and returns the form's errors if the password is wrong. Loaded on demand, together with the
 * library.
 */
export async function makePasskey(password: { password_challenge?: string }): Promise<Errors | undefined> {
  const options = await ask<PublicKeyCredentialCreationOptionsJSON>(paths.passkeyOptions(), password).catch(errorsIn)
  if ('errors' in options) return options.errors
  const response = await startRegistration({ optionsJSON: options })
  router.post(paths.addPasskey().url, { response: plain(response) }, { preserveScroll: true })
}

function errorsIn(error: unknown): { errors: Errors } {
  if (error instanceof HttpResponseError && error.response.status === 422) return JSON.parse(error.response.data)
  throw error
}
