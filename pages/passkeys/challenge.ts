import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { paths } from '../../features/paths.ts'
import { isCancelled, requestJson } from './request-json.ts'

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
