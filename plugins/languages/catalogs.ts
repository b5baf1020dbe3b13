import { readdirSync } from 'node:fs'
import type { Speech } from './translate.ts'

export type Catalog = Speech & { name: string }

export type Language = Omit<Catalog, 'tag'>

const folder = new URL('../../languages/', import.meta.url)

export async function readCatalogs(): Promise<Map<string, Catalog>> {
  const tags = readdirSync(folder).flatMap((file) => /^([a-z]{2,3}(?:-[A-Za-z]+)?)\.ts$/.exec(file)?.[1] ?? [])
  const first = tags.sort((a, b) => Number(b === 'en') - Number(a === 'en') || a.localeCompare(b))
  const read = first.map(async (tag): Promise<[string, Catalog]> => {
    const { default: language }: { default: Language } = await import(
      /* @vite-ignore */ new URL(`${tag}.ts`, folder).href
    )
    return [tag, { tag, ...language }]
  })
  return new Map(await Promise.all(read))
}
