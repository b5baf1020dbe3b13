import fastq from 'fastq'
import { Unavailable } from '../http/errors.ts'

const atOnce = 3 // of the four threads that Node has for files, names and compression too
const mostWaiting = 100
const aMoment = 5 // seconds, in which a full queue has been worked off

const queue = fastq.promise((compute: () => Promise<unknown>) => compute(), atOnce)

/**
 * Runs what computes a digest in its turn. Digests are slow on purpose: without a bound, whoever sends a thousand passwords holds up every
 * file that is read meanwhile, and everybody who comes after. Throws Unavailable when too many wait.
 */
export function inTurn<Result>(compute: () => Promise<Result>) {
  requireRoom()
  return queue.push(compute) as Promise<Result>
}

/** Throws Unavailable when too many wait already, before anything else is done in vain. */
export function requireRoom() {
  if (queue.length() < mostWaiting) return
  throw new Unavailable('too many passwords wait to be hashed', { retryAfter: aMoment })
}
