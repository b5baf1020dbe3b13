import type { Plugin } from 'vite'

/** Adds the pages, tabs, activities and words of the examples to where those of a product are. */
export const examplePages: Plugin = {
  name: 'examples',
  enforce: 'pre',
  transform: {
    filter: { id: /\/(pages\/(signed-in\.ts|ssr\.tsx|features\.ts)|languages\/(de|ar)\.ts)$/ },
    handler(code, id) {
      if (id.endsWith('features.ts'))
        return `${code}\nimport { projects } from '/examples/projects/pages/feature.tsx'\nfeatures.push(projects)`
      const [, tag] = /languages\/(\w+)\.ts$/.exec(id) ?? []
      if (tag)
        return `import { words } from '/examples/projects/words/${tag}.ts'
          ${code.replace('export default {', 'const language = {')}
          export default { ...language, words: { ...language.words, ...words } }`
      return `${code}
        for (const [file, page] of Object.entries(
          import.meta.glob('/examples/*/pages/*.page.tsx', { import: 'default', eager: true }),
        )) pages[file.replace('/examples/', '').replace('/pages/', '/').replace('.page.tsx', '')] = page`
    },
  },
}
