import t from 'tap'
import arabic from '../../languages/ar.ts'

// Forms that only a man is addressed with, where Arabic could say «يُرجى …», «يمكن …» or name the action.
const commands = [
  ...['ابدأ', 'اتصل', 'احذف', 'احفظ', 'احفظه', 'اختر', 'ادخل', 'أدخل', 'ارجع', 'استخدم'],
  ...['اضغط', 'أعد', 'افتح', 'أكد', 'انتظر', 'انتقل', 'انسخ', 'انقر', 'أنشئ', 'تأكد'],
  ...['تحقق', 'تحقّق', 'جرّب', 'حاول', 'حدد', 'راجع', 'سجّل', 'عد', 'غيّر', 'أزل'],
  ...['أضف', 'اسأل', 'اسحب', 'اطلب', 'جدّد', 'جدّده', 'عامله', 'فعّل'],
]
const statements = ['تريد', 'تعرف', 'توافق', 'تستطيع', 'ترغب', 'تحتاج', 'تكن أنت', 'كنت أنت', 'لست']

t.test('no text in Arabic addresses a man', async (t) => {
  const texts = Object.values(arabic.words).flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text)))
  const atTheBeginning = new RegExp(`(?:^|[.:،؟] [وف]?(?:ثم )?|ثم )(?:${commands.join('|')})(?=[ .،]|$)`)
  const anywhere = new RegExp(`(?:^| )و?(?:${statements.join('|')})(?=[ .،؟]|$)`)
  const addressing = texts.filter((text) => atTheBeginning.test(text) || anywhere.test(text))
  t.same(addressing, [])
})
