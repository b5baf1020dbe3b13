import type { Plugin } from 'vite'

/** Adds the pages, parts, tabs, activities, words and front page of the examples to where those of a product are. */
export const examplePages: Plugin = {
  name: 'examples',
  enforce: 'pre',
  transform: {
    filter: {
      id: /\/(pages\/(bundles\.ts|signed-in\.ts|ssr\.tsx|(guest-)?features\.ts)|brand\/front-page\.ts|languages\/(de|ar)\.ts)$/,
    },
    handler(code, id) {
      if (id.endsWith('front-page.ts')) return `export * from '/examples/front-page/pages/front-page.ts'`
      const [, tag] = /languages\/(\w+)\.ts$/.exec(id) ?? []
      if (tag)
        return `${code.replace('export default {', 'const language = {')}
          const added = import.meta.glob('/examples/*/words/${tag}.ts', { import: 'words', eager: true })
          export default { ...language, words: Object.assign({}, language.words, ...Object.values(added)) }`
      if (id.endsWith('features.ts')) {
        const [list, file] = id.endsWith('guest-features.ts') ? ['guestFeatures', 'guest'] : ['features', 'feature']
        return `${code}
          for (const module of Object.values(import.meta.glob('/examples/*/pages/${file}.tsx', { eager: true })))
            ${list}.push(...Object.values(module))`
      }
      const [list, files] = id.endsWith('bundles.ts') ? ['guests', '*.guest.page.tsx'] : ['pages', '*.page.tsx']
      return `${code}
        for (const [file, page] of Object.entries(
          import.meta.glob('/examples/*/pages/${files}', { import: 'default', eager: true }),
        )) ${list}[file.replace('/examples/', '').replace('/pages/', '/').replace(/(\\.guest)?\\.page\\.tsx$/, '')] = page`
    },
  },
}
