/** What of the core still imports an option. The list only gets shorter. */
export const ties: string[] = [
  'examples/index.ts → examples/projects/api.ts',
  'features/accounts/props.ts → features/pictures/paths.ts',
  'features/activity/props.ts → features/pictures/paths.ts',
  'features/auth/index.ts → features/pictures/paths.ts',
  'features/auth/sign-up.ts → drizzle/tables/pictures.ts',
]
