import { Transform } from 'node:stream'

/**
 * Prints what fails, and comments. Tap's own draw a line of counts again for each assertion: a tenth of all the time.
 */
export default class Failures extends Transform {
  readonly #decoder = new TextDecoder()
  #rest = ''
  #hasFailed = false
  /** That of the description that goes on, if there is one. */
  #end: string | undefined

  override _transform(chunk: Buffer, _encoding: string, done: () => void) {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) if (this.#isPrinted(line)) this.push(`${line}\n`)
    done()
  }

  #isPrinted(line: string) {
    if (this.#end !== undefined) {
      if (line === this.#end) this.#end = undefined
      return true
    }
    const isDescribed = this.#hasFailed && line.endsWith(' ---')
    if (isDescribed) this.#end = line.replace('---', '...')
    this.#hasFailed = /^ *(not ok|Bail out!)/.test(line)
    return isDescribed || this.#hasFailed || /^ *# (?!Subtest:|time=|No coverage|\{ total:)/.test(line)
  }
}
