import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether many have this password, or it is made of what everybody knows of this person. Never, unless the configuration refuses such ones. */
    isTooCommon(password: string, person: Person): boolean
  }
}

type Person = { name: string; email: string }
type Options = { refuse: boolean; appName: string }

/** Some 44,000 passwords that people have used most (of SecLists), each as five bytes of its digest; development/common-passwords.ts makes them. */
export const digestsFile = new URL('common-passwords.bin', import.meta.url)
export const markSize = 5

export default fp<Options>(
  async (app, { refuse, appName }) => {
    const list = refuse ? readFileSync(digestsFile) : Buffer.alloc(0)
    app.decorate(
      'isTooCommon',
      (password, person) =>
        refuse &&
        (isListed(list, normalize(password)) || isMadeOf(password, [...partsOf(appName), ...wordsOf(person)])),
    )
  },
  { name: 'common-passwords' },
)

/** Capitals and the width of letters make no other password of it. */
export const normalize = (password: string) => password.normalize('NFKC').toLowerCase()

export const markOf = (normalized: string) => hash('sha256', normalized, 'buffer').subarray(0, markSize)

function isListed(list: Buffer, normalized: string) {
  const mark = markOf(normalized)
  let [low, high] = [0, list.length / markSize]
  while (low < high) {
    const middle = (low + high) >> 1
    const order = list.compare(mark, 0, markSize, middle * markSize, (middle + 1) * markSize)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle
  }
  return false
}

const wordsOf = ({ name, email }: Person) => [...partsOf(name), email, ...email.split(/[@.]/)]
const partsOf = (name: string) => [name, ...name.split(/\s+/)]

const fewest = 4 // letters or digits that a password has to have of its own

/** Whether there is hardly anything in a password but these words. */
function isMadeOf(password: string, words: string[]) {
  const own = words
    .map(lettersOf)
    .filter((word) => word.length > 1)
    .sort((a, b) => b.length - a.length) // else a part of a name would be taken out of the whole
    .reduce((rest, word) => rest.replaceAll(word, ''), lettersOf(password))
  return [...own].length < fewest
}

const lettersOf = (text: string) => normalize(text).replace(/[^\p{L}\p{N}]/gu, '')
