import type { Socket } from 'node:net'

const lingerMs = 2_000

/**
 * Reads no more of a connection, and ends it two seconds after its last answer. Node would close it together with the
 * answer, and the kernel would then reset it if more has arrived: the client might never read the answer.
 */
export function closeSlowly(socket: Socket) {
  socket.pause()
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }
}
