import type { Language } from '../plugins/languages/catalogs.ts'

export default {
  name: 'العربية',
  dir: 'rtl',
  words: {
    'Sign in': 'تسجيل الدخول',
    Reload: 'إعادة التحميل',
  },
} satisfies Language
