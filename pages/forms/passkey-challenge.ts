import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { paths } from '../../features/paths.ts'
import { isCancelled } from '../visits/ceremonies.ts'
import { requestJson } from '../visits/request-json.ts'

/**
 * Asks for one of the person's passkeys and returns what it signed, as the form sends it. Undefined if they cancel.
 * Loaded on demand, together with the library.
 */
export async function answerChallenge() {
  const optionsJSON = await requestJson<PublicKeyCredentialRequestOptionsJSON>(paths.passkeyChallenge(), {})
  try {
    return JSON.stringify(await startAuthentication({ optionsJSON }))
  } catch (error) {
    if (isCancelled(error)) return undefined
    throw error
  }
}

export const cancel = () => WebAuthnAbortService.cancelCeremony()
