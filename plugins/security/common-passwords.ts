import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fp from 'fastify-plugin'
import { normalizePassword } from './digests.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether it is widely used or made of the person's name and address, if those are refused. */
    isTooCommon(password: string, owner: PasswordOwner): boolean
  }
}

type PasswordOwner = { name: string; email: string }
type CommonPasswordsOptions = { refuse: boolean; appName: string }

/** The 44,000 or so most common passwords (from SecLists), as the first five bytes of each digest. */
export const digestsFile = new URL('common-passwords.bin', import.meta.url)
export const markSize = 5
const marksIn = new RegExp(`.{${markSize}}`, 'gs')

export default fp<CommonPasswordsOptions>(async (app, { refuse, appName }) => {
  const marks = refuse ? readFileSync(digestsFile, 'latin1').match(marksIn) : []
  const listed = new Set<string>(marks)
  const isListed = (password: string) => listed.has(markOf(normalize(password)).toString('latin1'))
  app.decorate(
    'isTooCommon',
    (password, owner) => refuse && (isListed(password) || isMadeOf(password, wordsOf(appName, owner))),
  )
})

/** Case and full-width characters do not make a password less common. */
const normalize = (password: string) => normalizePassword(password).toLowerCase()

const markOf = (normalized: string) => hash('sha256', normalized, 'buffer').subarray(0, markSize)

const wordsOf = (appName: string, { name, email }: PasswordOwner) =>
  [partsOf(appName, /\s+/), partsOf(name, /\s+/), partsOf(email, /[@.]/)].flat()

function partsOf(text: string, between: RegExp) {
  const start = text.slice(0, 200) // a password has fewer characters, and names have no limit
  return [start, ...start.split(between)]
}

const minRemaining = 4 // letters or digits that must remain once known words are taken out

/** Whether the password contains hardly anything but these words. */
function isMadeOf(password: string, words: string[]) {
  const remaining = words
    .map(lettersOf)
    .filter((word) => word.length > 1)
    .sort((a, b) => b.length - a.length) // longest first, or a part of the name would break up the whole
    .reduce((rest, word) => rest.replaceAll(word, ''), lettersOf(password))
  return [...remaining].length < minRemaining
}

const lettersOf = (text: string) => normalize(text).replace(/[^\p{L}\p{N}]/gu, '')
