import fastq from 'fastq'
import { Unavailable } from '../http/errors.ts'

const concurrency = 3 // leaves one of libuv's four threads for files, DNS and compression
const maxQueued = 100
const retryAfterSeconds = 5 // in which a full queue drains

const queue = fastq.promise((compute: () => Promise<unknown>) => compute(), concurrency)

/**
 * Queues a digest computation. Hashing is slow on purpose: without a limit, a client that submits a thousand passwords
 * would block every file read and every other sign-in. Throws Unavailable if the queue is full.
 */
export function enqueueHash<Result>(compute: () => Promise<Result>) {
  requireRoom()
  return queue.push(compute) as Promise<Result>
}

/** Throws Unavailable if the queue is full. Call it before doing other work that would be wasted. */
export function requireRoom() {
  if (queue.length() < maxQueued) return
  throw new Unavailable('too many passwords wait to be hashed', { retryAfter: retryAfterSeconds })
}
