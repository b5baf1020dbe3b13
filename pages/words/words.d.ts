declare module 'virtual:words' {
  import type { Words } from '../../plugins/languages/translate.ts'

  /** By language and page: the words that this page can show. pages/translation/vite.ts makes it. */
  const words: Record<string, Record<string, () => Promise<{ default: Words }>>>
  export default words
}
