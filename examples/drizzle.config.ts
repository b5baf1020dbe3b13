import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './examples/projects/tables.ts',
  out: './examples/migrations',
  casing: 'snake_case',
})
