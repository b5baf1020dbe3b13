import { router } from '@inertiajs/react'
import type { Language } from '../../plugins/languages/catalogs.ts'
import { setLocale } from './t.ts'

// English needs none: its texts are in the code.
const catalogs = import.meta.glob<Language>(['../../languages/*.ts', '!../../languages/en.ts'], { import: 'default' })

export async function loadMessages({ lang, dir }: HTMLElement) {
  router.on('before', ({ detail: { visit } }) => {
    visit.headers['X-Language'] = lang
  })
  const language = await catalogs[`../../languages/${lang}.ts`]?.()
  setLocale({ tag: lang, dir: dir === 'rtl' ? 'rtl' : 'ltr', words: language?.words ?? {} })
}
