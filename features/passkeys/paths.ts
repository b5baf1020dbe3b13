import { destroy, get, patch, post } from '../paths.ts'

export const passkeysPaths = {
  passkeySignInOptions: () => post('/sign_in/passkey/options'),
  signInWithPasskey: () => post('/sign_in/passkey'),
  passkeyOptions: () => post('/settings/passkeys/options'),
  passkeyChallenge: () => post('/settings/passkey_challenge'),
  addPasskey: () => post('/settings/passkeys'),
  renamePasskey: (id: number) => patch(`/settings/passkeys/${id}`),
  acceptedPasskeys: () => get('/settings/passkeys/accepted'),
  removePasskey: (id: number) => destroy(`/settings/passkeys/${id}`),
}
