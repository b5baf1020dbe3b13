import t from 'tap'
import arabic from '../../languages/ar.ts'
import { holdsVerbs } from '../languages/dialogs.ts'

t.test('a dialog has one verb from its title to its result, which its way out does not have', async (t) => {
  holdsVerbs(
    t,
    { tag: 'ar', ...arabic },
    {
      add: /إضافة/,
      connect: /ربط/,
      create: /إنشاء/,
      decline: /رفض/,
      delete: /حذف/,
      disconnect: /فصل/,
      end: /إنهاء|انتهت/,
      invite: /دعوة/,
      leave: /مغادرة/,
      makeOwner: /مالك/,
      remove: /إزالة/,
      rename: /تسمية/,
      replace: /استبدال/,
      require: /إلزام/,
      revoke: /سحب/,
      roll: /تجديد/,
      setUp: /إعداد/,
      stepDown: /التنازل/,
      transfer: /نقل/,
      turnOff: /إيقاف/,
      update: /تحديث/,
    },
  )
})
