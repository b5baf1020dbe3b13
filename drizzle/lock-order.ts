import { accounts, presences, sessions, users } from './schema.ts'

/**
 * In which order a transaction locks rows: accounts by id and, under their locks, what belongs to them, then users by
 * id, their sessions, and their presence. Two that lock in another order can wait for each other. Tests hold every
 * transaction to it (test/helpers/lock-order.ts).
 */
export const lockOrder = [accounts, users, sessions, presences]
