import { globSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { readCatalogs } from '../../plugins/languages/catalogs.ts'
import { textsReachableFrom } from './graph.ts'

const pages = new URL('../', import.meta.url)
const index = 'virtual:words'
const ending = /\.page\.tsx\?words=([\w-]+)$/

/**
 * `virtual:words` has a module for each page in each language but English, with the words that this page can show. So a
 * browser loads one language, and of it only what it needs, beside the page's code.
 */
export function words(): Plugin {
  return {
    name: 'words',
    resolveId: (id) => (id === index ? `\0${index}` : ending.test(id) ? id : undefined),
    async load(id) {
      if (id === `\0${index}`) return indexOf(await tags())
      const [, tag] = ending.exec(id) ?? []
      if (tag === undefined) return undefined
      const page = pathToFileURL(id.slice(0, id.lastIndexOf('?')))
      const needed = textsReachableFrom([new URL('main.tsx', pages), page])
      const { words = {} } = (await readCatalogs()).get(tag) ?? {}
      const kept = Object.fromEntries(Object.entries(words).filter(([key]) => needed.has(key)))
      return { code: `export default ${JSON.stringify(kept)}`, moduleType: 'js' }
    },
  }
}

const tags = async () => [...(await readCatalogs()).keys()].filter((tag) => tag !== 'en')

function indexOf(tags: string[]) {
  const names = globSync('**/*.page.tsx', { cwd: fileURLToPath(pages) }).sort()
  const load = (tag: string) => (name: string) => {
    const file = `${fileURLToPath(new URL(name, pages))}?words=${tag}`
    return `${JSON.stringify(name.replace(/\.page\.tsx$/, ''))}: () => import(${JSON.stringify(file)})`
  }
  const languages = tags.map((tag) => `${JSON.stringify(tag)}: {\n${names.map(load(tag)).join(',\n')}\n}`)
  return `export default {\n${languages.join(',\n')}\n}`
}
