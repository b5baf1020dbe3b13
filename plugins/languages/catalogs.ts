import { readdirSync } from 'node:fs'
import type { Speech, Words } from './translate.ts'

/** A file of `languages/`, named by its language: `de.ts`. */
export interface Language {
  /** In the language itself, as a picker shows it. */
  name: string
  dir: 'ltr' | 'rtl'
  words: Words
}

export type Catalog = Speech & { name: string }

const folder = new URL('../../languages/', import.meta.url)

/** All languages that have a file, English first. */
export async function readCatalogs(): Promise<Map<string, Catalog>> {
  const tags = readdirSync(folder).flatMap((file) => /^([a-z]{2,3}(?:-[A-Za-z]+)?)\.ts$/.exec(file)?.[1] ?? [])
  const first = tags.sort((a, b) => Number(b === 'en') - Number(a === 'en') || a.localeCompare(b))
  const read = first.map(async (tag): Promise<[string, Catalog]> => {
    const { default: language }: { default: Language } = await import(new URL(`${tag}.ts`, folder).href)
    return [tag, { tag, ...language }]
  })
  return new Map(await Promise.all(read))
}
