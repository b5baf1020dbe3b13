import type { Passkey } from '../../drizzle/schema.ts'

export type PasskeyProps = ReturnType<typeof presentPasskey>
export const presentPasskey = ({ id, name, createdAt, lastUsedAt, synced }: Passkey) => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  synced,
})
