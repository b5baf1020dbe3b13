import { hash, randomBytes } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import fp from 'fastify-plugin'

/** A browser in which people have signed in before: what its tries to guess a password are counted under. */
export type Device = { id: string; people: { userId: number; mark: string }[] }
type Person = { id: number; passwordDigest: string }

declare module 'fastify' {
  interface FastifyRequest {
    /** What the cookie says; undefined in a browser that knows nobody. */
    device(): Device | undefined
  }
  interface FastifyReply {
    /** This browser knows this person from now on, until their password changes elsewhere. */
    rememberDevice(person: Person): this
  }
}

const fourHundredDays = 34_560_000 // seconds, the longest that browsers keep a cookie
const mostPeople = 5

/**
 * A signed cookie that names the browser and the last people who signed in there (OWASP, Slow Down Online Guessing Attacks with Device Cookies). It opens nothing:
 * it only keeps their own tries apart from those of strangers. A stolen one is worth the tries of that device, which are limited like all
 * others, and nothing at all once the password is changed or reset: it holds a mark of the digest that was right.
 */
export default fp(
  async (app) => {
    app.keepSignedCookie('device', { maxAge: fourHundredDays })
    app.decorateRequest('device', function () {
      return parse(this.signedCookie('device') ?? '')
    })
    app.decorateReply('rememberDevice', function ({ id: userId, passwordDigest }) {
      const { id, people } = this.request.device() ?? { id: randomBytes(16).toString('hex'), people: [] }
      const others = people.filter((person) => person.userId !== userId)
      const known = [...others, { userId, mark: markOf(passwordDigest) }].slice(-mostPeople)
      const value = [id, ...known.map(({ userId, mark }) => `${userId}-${mark}`)].join('_')
      return this.giveSignedCookie('device', value, { maxAge: fourHundredDays })
    })
  },
  { name: 'device', dependencies: ['cookies'] },
)

const pattern = /^[\da-f]{32}(_\d{1,15}-[\da-f]{16}){1,5}$/

function parse(value: string): Device | undefined {
  if (!pattern.test(value)) return undefined
  const [id = '', ...people] = value.split('_')
  return {
    id,
    people: people.map((person) => {
      const [userId, mark = ''] = person.split('-')
      return { userId: Number(userId), mark }
    }),
  }
}

const markOf = (passwordDigest: string) => hash('sha256', passwordDigest, 'hex').slice(0, 16)

/** The same mark, made by the database. */
export const sqlMarkOf = (passwordDigest: SQL) =>
  sql`left(encode(sha256(convert_to(${passwordDigest}, 'UTF8')), 'hex'), 16)`
