import type { Identity } from '../../drizzle/schema.ts'
import type { GuestInvitationProps, Provider } from '../auth/props.ts'

export type IdentityProps = ReturnType<typeof presentIdentity>
export const presentIdentity = (identity: Identity) => ({
  id: identity.id,
  provider: identity.provider,
  name: identity.name,
  email: identity.email,
  created_at: identity.createdAt.toISOString(),
  last_used_at: identity.lastUsedAt?.toISOString() ?? null,
})

declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    /** `proved`: the provider vouches for the address. `taken`: someone verified it, which is only said if proved. */
    'auth/provider': {
      provider: Provider
      email: string | null
      name: string | null
      proved: boolean
      taken: boolean
      invitation_only?: true
      invitation?: GuestInvitationProps
    }
  }
}
