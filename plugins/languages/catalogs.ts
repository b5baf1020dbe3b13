import { readdirSync } from 'node:fs'
import type { Speech } from './translate.ts'

/** The name is in the language itself, as a picker shows it. */
export type Catalog = Speech & { name: string }

/** A file of `languages/`, named by its language: `de.ts`. */
export type Language = Omit<Catalog, 'tag'>

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
