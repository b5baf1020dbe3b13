import type { accounts, Role } from '../../drizzle/schema.ts'

export type AccountProps = ReturnType<typeof presentAccount>
export const presentAccount = ({ id, name, slug }: Pick<typeof accounts.$inferSelect, 'id' | 'name' | 'slug'>) => ({
  id,
  name,
  slug,
})

export type AccountReference = ReturnType<typeof presentReference>
export const presentReference = ({ name, slug }: { name: string; slug: string }) => ({ name, slug })

declare module '../../plugins/inertia/pages.ts' {
  interface SharedProps {
    /** The switcher's list, by name; only signed-in pages carry it. */
    accounts?: AccountReference[]
  }
  interface Pages {
    'home/index': { invitation_only?: true }
    'accounts/new': Record<never, never>
    'accounts/show': { account: AccountProps; membership: { role: Role }; members_count?: number }
  }
}
