import t from 'tap'
import { nameMessages } from '../../../plugins/forms/parameters.ts'

const messages = (name: string) => nameMessages(name, 60).map(({ text }) => text)

t.test('a name without a visible character is blank', async (t) => {
  for (const sign of [
    ...[' ', '\t\n', '\u00a0', '\u2003', '\u3000'],
    ...['\u200b', '\u200c\u200d', '\u2060', '\ufeff', '\u00ad', '\u180e', '\u034f'],
    ...['\u200e', '\u200f', '\u061c', '\u202a\u202e\u202c', '\u2066\u2069'],
    ...['\u115f', '\u1160', '\u3164', '\uffa0', '\u2800', '\u{13441}', '\u{1d159}'],
    ...['\ufe0f', '\u{e0100}', '\u{e0041}', '\u0301', '\u20dd', '\0', '\u0007'],
  ])
    t.same(messages(`${sign} ${sign}`), ["can't be blank"], encodeURI(sign))
})

t.test('anything else is a name', async (t) => {
  const directed = ['\u202eAna', '\u2068Ana\u2069', ' \u3164x']
  for (const name of ['A', '1', '.', '$', '李', 'ا', 'é', '한', '👍🏽', '🏳️‍🌈', '1️⃣', ...directed])
    t.same(messages(name), [], encodeURI(name))
})

t.test('a name that would end its own isolation is invalid', async (t) => {
  const separated = ['Ana\u2029\u202e', 'Ana\u0085\u202e']
  for (const name of ['Ana\u2069\u202e', '\u2068Ana\u2069\u2069', '\u2069\u2068Ana', ...separated])
    t.same(messages(name), ['is invalid'], encodeURI(name))
})
