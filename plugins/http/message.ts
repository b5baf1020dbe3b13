import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

// Each piece that arrives costs about 330 bytes and a callback, however small it is. These are enough for every client
// that does not split its body on purpose.
const freePieces = 2_000
const bytesPerPiece = 64

/** The event of a request that has too many. Who listens to it answers the request. */
export const tooManyPieces = 'tooManyPieces'

/**
 * A request whose body may not arrive in countless tiny pieces (chunks of HTTP/1.1): otherwise a few megabytes fill the
 * heap of a process. Such a connection gets a 400 and ends. `http.createServer` takes this class.
 */
export class RequestMessage extends IncomingMessage {
  #pieces = 0
  #bytes = 0
  #isRefused = false
  declare readonly socket: Socket & { server?: NodeJS.EventEmitter }

  override push(piece: Buffer | null) {
    if (this.#isRefused) return true
    if (piece === null) return super.push(piece)
    this.#pieces++
    this.#bytes += piece.length
    if (this.#pieces <= freePieces + this.#bytes / bytesPerPiece) return super.push(piece)
    this.#isRefused = true
    if (this.emit(tooManyPieces)) return true
    const error = Object.assign(new Error('a body in too many pieces'), { code: 'BODY_IN_TOO_MANY_PIECES' })
    this.socket.server?.emit('clientError', error, this.socket) // as Node reports what it cannot read
    return true
  }
}
