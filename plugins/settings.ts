import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { Database } from './database/index.ts'
import type { Keys } from './security/keys.ts'

// What environment variables may hold. The core declares its own in server/settings.ts, each option in its settings.ts.

export const setting = (must: string, pattern = '.', more: object = {}) =>
  Type.Optional(Type.String({ must, pattern, ...more }))
export const secret = (must: string, pattern?: string) => setting(must, pattern, { isSecret: true })
export const matching = (must: string, pattern: string, fallback: string) =>
  Type.String({ must, pattern, default: fallback })

export const whole = (things: string, minimum: number, maximum: number, fallback: number) =>
  Type.Integer({ must: `be a number of ${things} from ${minimum} to ${maximum}`, minimum, maximum, default: fallback })
export const port = { must: 'be a port from 0 to 65535', minimum: 0, maximum: 65_535 }

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })
export const oneOf = <const Words extends string[]>(...words: Words) =>
  Type.Enum(words, { must: `be ${either.format(words)}`, default: words[0] })

const duration = '^[1-9]\\d{0,4}[smhd]$'

/** A time such as 30m, which `millisecondsIn` reads. */
export const lifetime = (example: string) => ({
  must: `be a time such as ${example}: a number of up to five digits and s, m, h or d`,
  pattern: duration,
})

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export const millisecondsIn = (duration: string) =>
  Number.parseInt(duration, 10) * units[duration.at(-1) as keyof typeof units]

/** The words of a list with commas. */
export const wordsIn = (list = '') => list.split(',').flatMap((word) => word.trim() || [])

/** What each option makes of its variables: its part of the configuration, by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: options add to it
export interface OptionConfig {}

type Site = OptionConfig & { origin: string; keys: Keys }

type OptionSettings<Variables extends TProperties> = {
  variables: Variables
  read(environment: Static<TObject<Variables>>, site: { hasMail: boolean }): Partial<OptionConfig>
  /** The variables that are wrong together with others, or in a way that no pattern says. */
  mistakes?(environment: Static<TObject<Variables>>): string[]
  /** What `npm run check` asks besides, by name: resolves with what is fine, or rejects. */
  checks?(config: OptionConfig & { origin: string }): Promise<[string, () => Promise<string>][]>
  /** What `npm run check -- NAME WORD` asks. */
  questions?: Record<
    string,
    { word: string; help: string; ask(db: Database, site: Site, word: string): Promise<string> }
  >
}

export const optionSettings: OptionSettings<TProperties>[] = []

/**
 * Declares the variables of an option, or of a feature of the product (docs/after-copying.md).
 * @public
 */
export const defineSettings = <Variables extends TProperties>(settings: OptionSettings<Variables>) =>
  optionSettings.push(settings as object as OptionSettings<TProperties>)
