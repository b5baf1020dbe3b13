// Column names are camelCase here and snake_case in the database (Drizzle's `casing`).

export * from './tables/accounts.ts'
export * from './tables/activities.ts'
export * from './tables/counters.ts'
export * from './tables/sessions.ts'
export * from './tables/sign-in-methods.ts'
export * from './tables/single-sign-on.ts'
export * from './tables/users.ts'
