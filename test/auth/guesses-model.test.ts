import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { rateLimits, users } from '../../drizzle/schema.ts'
import { mintLink } from '../../features/identity/links.ts'
import { keyOf } from '../../plugins/security/limits/index.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { password, signedUp } from '../helpers/people.ts'

const maxGuesses = 100
const hour = 60 // minutes

/** Model of a limit: a count and its remaining minutes. */
class Count {
  #hits = 0
  #left = 0
  pass(minutes: number) {
    this.#left -= minutes
    if (this.#left <= 0) this.#hits = 0
  }
  /** Returns false if none is left. */
  take(times = 1) {
    if (this.#hits === maxGuesses) return false
    if (this.#hits === 0) this.#left = hour
    this.#hits = Math.min(maxGuesses, this.#hits + times)
    return true
  }
  clear() {
    this.#hits = 0
  }
}

const places = ['desk', 'phone', 'stranger'] as const
type Place = (typeof places)[number]

/** Model of one person, the places guesses come from, and which of those know the current password. */
class Model {
  readonly address = new Count()
  readonly devices = new Map<Place, Count>()
  countOf(place: Place) {
    return this.devices.get(place) ?? this.address
  }
  guess(place: Place) {
    return this.countOf(place).take() ? 'incorrect' : 'later'
  }
  signIn(place: Place) {
    if (!this.countOf(place).take()) return 'later'
    this.address.clear()
    this.devices.set(place, new Count())
    return 'signed in'
  }
  reset(place: Place) {
    this.address.clear()
    this.devices.clear()
    this.devices.set(place, new Count())
    return 'reset'
  }
  pass(minutes: number) {
    for (const count of [this.address, ...this.devices.values()]) count.pass(minutes)
  }
}

const outcomes: Record<string, string> = {
  'That email or password is incorrect': 'incorrect',
  'Try again later.': 'later',
  'Signed in successfully': 'signed in',
  'Your password was reset successfully. Please sign in': 'reset',
}

/** The same operations as real requests, each from a new client. */
class Application {
  readonly #app: FastifyInstance
  readonly #person: { email: string }
  readonly #jars = new Map<Place, string>()
  #clients = 0
  #password = password
  #resets = 0

  constructor(app: FastifyInstance, person: { email: string }) {
    this.#app = app
    this.#person = person
  }

  async #submit(place: Place, method: 'POST' | 'PATCH', url: string, body: object) {
    this.#clients++
    const browser = await Browser.open(this.#app, { ip: `10.2.${this.#clients >> 8}.${this.#clients & 255}` })
    const device = this.#jars.get(place)
    if (device) browser.cookies.set('device', device)
    const { flash } = await browser.submit(method, url, body)
    const known = browser.cookies.get('device')
    if (known) this.#jars.set(place, known)
    return outcomes[flash?.notice ?? flash?.alert ?? '']
  }
  guess(place: Place) {
    return this.#submit(place, 'POST', '/sign_in', { email: this.#person.email, password: 'a wrong password' })
  }
  signIn(place: Place) {
    return this.#submit(place, 'POST', '/sign_in', { email: this.#person.email, password: this.#password })
  }
  async reset(place: Place) {
    const [user] = await this.#app.db.select().from(users).where(sql`email = ${this.#person.email}`)
    if (!user) throw new Error('there is a user')
    this.#password = `password number ${++this.#resets}`
    const words = { password: this.#password, password_confirmation: this.#password }
    return this.#submit(place, 'PATCH', '/identity/password_reset', {
      sid: mintLink(this.#app.tokens, 'password_reset', user),
      ...words,
    })
  }
  pass(minutes: number) {
    const expiresAt = sql`${rateLimits.expiresAt} - make_interval(mins => ${minutes}::int)`
    return this.#app.db.update(rateLimits).set({ expiresAt })
  }
  /** Sets the count directly, to save the time of hashing many guesses. */
  async strangersGuess(times: number) {
    await this.#app.db.execute(sql`
      update ${rateLimits} set hits = least(${maxGuesses}::int, hits + ${times - 1}::int)
      where key = ${keyOf('guess', this.#person.email)}`)
  }
}

type Step =
  | { does: 'guess' | 'signIn' | 'reset'; place: Place }
  | { does: 'crowd'; times: number }
  | { does: 'pass'; minutes: number }

/** Produces every outcome, independent of chance. */
const everything: Step[] = [
  { does: 'signIn', place: 'desk' },
  { does: 'crowd', times: 100 },
  { does: 'guess', place: 'phone' },
  { does: 'signIn', place: 'phone' },
  { does: 'guess', place: 'desk' },
  { does: 'reset', place: 'phone' },
  { does: 'signIn', place: 'desk' },
]

const place = fc.constantFrom(...places)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('guess' as const), place }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('signIn' as const), place }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('reset' as const), place }) },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('crowd' as const), times: fc.integer({ min: 50, max: 100 }) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('pass' as const), minutes: fc.integer({ min: 5, max: 40 }) }) },
)

t.test('application and model agree on any sequence of guesses, sign-ins, resets and pauses', async (t) => {
  const { app } = await sharedApp(t)
  const seen = new Set<string>()
  const property = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
    const { person } = await signedUp(app)
    const application = new Application(app, person)
    const model = new Model()
    for (const step of steps) {
      if (step.does === 'pass') {
        model.pass(step.minutes)
        await application.pass(step.minutes)
        continue
      }
      const from = step.does === 'crowd' ? 'stranger' : step.place
      if (step.does === 'crowd' && model.devices.has(from)) continue // a known device would not count as a stranger
      const does = step.does === 'crowd' ? 'guess' : step.does
      const expected = model[does](from)
      const outcome = await application[does](from)
      seen.add(`${does}: ${outcome}`)
      if (outcome !== expected) throw new Error(`${does} from the ${from}: ${outcome} instead of ${expected}`)
      if (step.does !== 'crowd' || outcome === 'later') continue
      model.address.take(step.times - 1)
      await application.strangersGuess(step.times)
    }
  })
  await fc.assert(property, { numRuns: 12, examples: [[everything]] })
  t.same([...seen].sort(), ['guess: incorrect', 'guess: later', 'reset: reset', 'signIn: later', 'signIn: signed in'])
})
