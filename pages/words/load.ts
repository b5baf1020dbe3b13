import { router } from '@inertiajs/react'
import { learn, speak } from './t.ts'

let tag = 'en'

/** Speaks the language of the document, and tells the server with each visit which one that is. */
export function speakLike({ lang, dir }: HTMLElement) {
  tag = lang
  speak({ tag, dir: dir === 'rtl' ? 'rtl' : 'ltr', words: {} })
  router.on('before', ({ detail: { visit } }) => {
    visit.headers['X-Language'] = tag
  })
}

/** Loads the words of a page, beside its code. Without them, it is shown in English. */
export async function learnWordsOf(page: string) {
  if (tag === 'en') return
  const { default: words } = await import('virtual:words').catch(() => ({
    default: {} as typeof import('virtual:words').default,
  }))
  const loaded = await words[tag]?.[page]?.().catch(() => undefined)
  if (loaded) learn(loaded.default)
}
