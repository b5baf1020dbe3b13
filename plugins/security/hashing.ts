import fastq from 'fastq'
import { Unavailable } from '../http/errors.ts'

const atOnce = 3 // leaves one of libuv's four threads for files, DNS and compression
const mostWaiting = 100
const longestWait = 500 // milliseconds, in a queue that has stood for longer than a burst
const burst = 2_000 // milliseconds
const aMoment = 5 // seconds that a full queue takes to drain

let mean = 50 // milliseconds that a digest takes, measured as we go
let standingSince = 0

const queue = fastq.promise(timed, atOnce)

async function timed(compute: () => Promise<unknown>) {
  const start = performance.now()
  try {
    return await compute()
  } finally {
    mean += (performance.now() - start - mean) / 20
  }
}

/**
 * Queues a digest computation. Hashing is slow on purpose: without a limit, a client that submits a thousand passwords
 * would block every file read and every other sign-in. Throws Unavailable if there is no room.
 */
export function inTurn<Result>(compute: () => Promise<Result>) {
  requireRoom()
  if (queue.length() === 0) standingSince = performance.now()
  return queue.push(compute) as Promise<Result>
}

/** Throws Unavailable if the queue has no room. Call it before doing other work that would be wasted. */
export function requireRoom() {
  if (queue.length() < room()) return
  throw new Unavailable('too many passwords wait to be hashed', { retryAfter: aMoment })
}

/** A burst may fill the queue. If it stays filled, everybody would wait that long, so it is cut short. */
function room() {
  if (queue.length() === 0 || performance.now() - standingSince < burst) return mostWaiting
  return Math.min(mostWaiting, Math.max(1, Math.floor((longestWait * atOnce) / mean)))
}
