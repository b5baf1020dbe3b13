import { useEffect } from 'react'
import type { UserProps } from '../../features/auth/props.ts'
import { passkeysPaths } from '../../features/passkeys/paths.ts'
import type { Accepted } from '../../features/passkeys/props.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { ignore, signals } from './credential-signals.ts'

type Props = PageProps<'settings/email'> & Partial<PageProps<'settings/security'>>

/** Tells the browser which passkeys are left, and what the person is called now. */
export function AcceptedPasskeys({ passkeys, has_passkey, auth: { user } }: Props) {
  const known = JSON.stringify([passkeys?.map(({ id }) => id), user?.email, user?.name])
  const isAbout = passkeys !== undefined || has_passkey !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for what is new
  useEffect(() => {
    if (isAbout && user && signals()?.signalAllAcceptedCredentials) tell(user).catch(ignore)
  }, [known, isAbout])
  return null
}

async function tell({ email, name }: UserProps) {
  const { webauthn, accepted } = await acceptedNow()
  if (!('rp_id' in accepted)) return
  const of = { rpId: accepted.rp_id, userId: accepted.user_id }
  await webauthn?.signalAllAcceptedCredentials?.({ ...of, allAcceptedCredentialIds: accepted.credential_ids })
  await webauthn?.signalCurrentUserDetails?.({ ...of, name: email, displayName: name })
}

async function acceptedNow() {
  const { requestJson } = await import('./webauthn.ts')
  return { webauthn: signals(), accepted: await requestJson<Accepted>(passkeysPaths.acceptedPasskeys()) }
}
