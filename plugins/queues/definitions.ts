/** What features define, by name. */
export class Definitions<Definition> extends Map<string, Definition> {
  readonly #kind: 'job' | 'mail'

  constructor(kind: 'job' | 'mail') {
    super()
    this.#kind = kind
  }

  /** Throws if no feature of this version defines it. Another version may. */
  find(name: string) {
    const definition = this.get(name)
    if (definition) return definition
    const code = `UNKNOWN_${this.#kind.toUpperCase()}`
    throw Object.assign(new Error(`no feature defines the ${this.#kind} ${name}`), { code })
  }
}
