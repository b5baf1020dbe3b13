// Column names are camelCase here and snake_case in the database (Drizzle's `casing`).

export * from './tables/accounts.ts'
export * from './tables/records.ts'
export * from './tables/single-sign-on.ts'
export * from './tables/users.ts'
