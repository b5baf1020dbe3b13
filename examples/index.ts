import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { migrate } from '../drizzle/migrate.ts'
import type { Address } from '../plugins/database/index.ts'
import type { Words } from '../plugins/languages/translate.ts'
import { projects } from './projects/index.ts'
import { signedLink } from './signed-link/index.ts'

// For tests and `npm run dev -- --examples`. Production loads nothing of this folder.

export const words: Record<string, Words> = {}
for (const file of globSync('*/words/*.ts', { cwd: import.meta.dirname })) {
  const [tag, module] = [basename(file, '.ts'), await import(`./${file}`)]
  words[tag] = { ...words[tag], ...module.words }
}

export const examples = { features: [addWords, projects, signedLink] }

async function addWords({ languages }: FastifyInstance) {
  for (const [tag, language] of languages)
    languages.set(tag, { ...language, words: { ...language.words, ...words[tag] } })
}

/** Creates the tables of the examples, in a database that has those of the application. */
export const migrateExamples = (address: Address) =>
  migrate(address, console.log, fileURLToPath(new URL('migrations', import.meta.url)))
