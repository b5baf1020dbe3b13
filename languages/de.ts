import type { Language } from '../plugins/languages/catalogs.ts'

export default {
  name: 'Deutsch',
  dir: 'ltr',
  words: {
    'Sign in': 'Anmelden',
    Reload: 'Neu laden',
  },
} satisfies Language
