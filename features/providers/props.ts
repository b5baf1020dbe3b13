import type { Identity } from '../../drizzle/tables/providers.ts'
import type { GuestInvitationProps, Provider } from '../auth/props.ts'

export type IdentityProps = ReturnType<typeof presentIdentity>
export const presentIdentity = ({ id, provider, name, email, createdAt, lastUsedAt }: Identity) => ({
  id,
  provider,
  name,
  email,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
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
  interface PageParts {
    providers: {
      'auth/sign-in': { providers: Provider[] }
      'auth/sign-up': { providers: Provider[] }
      'settings/security': {
        identities: IdentityProps[]
        providers: Provider[]
        /** The provider that this person came from before they signed in. */
        connectable?: Provider
      }
    }
  }
}
