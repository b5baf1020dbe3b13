import type { Language } from '../plugins/languages/index.ts'

/** Texts are written in English where they are used. */
export default { name: 'English', dir: 'ltr', words: {} } satisfies Language
