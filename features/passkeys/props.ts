import type { Passkey } from '../../drizzle/tables/passkeys.ts'

export type PasskeyProps = ReturnType<typeof presentPasskey>
export const presentPasskey = ({ id, name, createdAt, lastUsedAt, synced }: Passkey) => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  synced,
})

/** For browsers and password managers, which hide all others. Undefined for users who never had a passkey. */
export type Accepted = { rp_id: string; user_id: string; credential_ids: string[] } | Record<never, never>

declare module '../accounts/props.ts' {
  interface FirstSteps {
    passkey: true
  }
}

declare module '../auth/props.ts' {
  interface SecondStepNames {
    passkey: true
  }
}

declare module '../../plugins/inertia/pages.ts' {
  interface PageParts {
    passkeys: {
      'accounts/show': { offer_passkey: boolean }
      'settings/security': { passkeys: PasskeyProps[] }
      /** A passkey was offered that nobody has here. */
      'auth/sign-in': { unknown_passkey?: true }
    }
  }
  interface SharedProps {
    /** On pages that ask for the current password, for people who have one. */
    has_passkey?: true
  }
}
