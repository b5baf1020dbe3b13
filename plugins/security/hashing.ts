import fastq from 'fastq'
import { Unavailable } from '../http/errors.ts'

const atOnce = 3 // leaves one of libuv's four threads for files, DNS and compression
const mostWaiting = 100
const aMoment = 5 // seconds that a full queue takes to drain

const queue = fastq.promise((compute: () => Promise<unknown>) => compute(), atOnce)

/**
 * Queues a digest computation. Hashing is slow on purpose: without a limit, a client that submits a thousand passwords
 * would block every file read and every other sign-in. Throws Unavailable if the queue is full.
 */
export function inTurn<Result>(compute: () => Promise<Result>) {
  requireRoom()
  return queue.push(compute) as Promise<Result>
}

/** Throws Unavailable if the queue is full. Call it before doing other work that would be wasted. */
export function requireRoom() {
  if (queue.length() < mostWaiting) return
  throw new Unavailable('too many passwords wait to be hashed', { retryAfter: aMoment })
}
