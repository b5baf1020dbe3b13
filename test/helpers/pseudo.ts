import { everyText } from '../../pages/translation/sources.ts'

/** The source of a language in which every text is in brackets and at least 40 % longer. It runs right to left. */
export function pseudoLanguage() {
  const words = Object.fromEntries(Array.from(everyText().keys(), (text) => [text, bracketed(text)]))
  return `export default { name: 'Pseudo', dir: 'rtl', words: ${JSON.stringify(words)} }\n`
}

/** What stands between placeholders is a text of its own, since elements may separate it. */
const bracketed = (text: string) =>
  text
    .split(/(\{\w+\})/)
    .map((part, index) => (index % 2 === 0 && /\p{L}/u.test(part) ? longer(part) : part))
    .join('')

function longer(part: string) {
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(part) ?? []
  return `${before}[${words}${' long'.repeat(Math.ceil((words.length * 0.4) / 5))}]${after}`
}
