import type { Passkey } from '../../drizzle/tables/passkeys.ts'

export type PasskeyProps = ReturnType<typeof presentPasskey>
export const presentPasskey = ({ id, name, createdAt, lastUsedAt, synced }: Passkey) => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  synced,
})

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
    passkeys: { 'accounts/show': { offer_passkey: boolean }; 'settings/security': { passkeys: PasskeyProps[] } }
  }
  interface SharedProps {
    /** On pages that ask for the current password, for people who have one. */
    has_passkey?: true
  }
}
