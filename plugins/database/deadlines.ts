/** Seconds after which something ends that would otherwise go on, each with the time that those inside of it need. */
export const deadlines = {
  /** A server that accepts and says nothing is an error. */
  connect: 5,
  /** Waiting for a connection of the pool ends. */
  wait: 5,
  /** Waiting for a lock ends. */
  lock: 5,
  /** A host that is gone is noticed, also where nothing is asked. */
  keepAlive: 10,
  /** A statement ends. */
  statement: 10,
  /** A transaction in which nothing happens ends, with its connection. */
  idleTransaction: 15,
  /** A query that has no answer ends its connection. */
  answer: 15,
  /** A request is answered, whatever it does. */
  request: 30,
}
export type Deadlines = typeof deadlines

const inMilliseconds = ({ statement, lock, idleTransaction }: Deadlines) => ({
  statement_timeout: statement * 1000,
  lock_timeout: lock * 1000,
  idle_in_transaction_session_timeout: idleTransaction * 1000,
})

/** What makes Postgres keep the time: statements, because poolers refuse what they do not know of a greeting. */
export const forSession = (given: Deadlines) =>
  Object.entries(inMilliseconds(given))
    .map(([name, value]) => `set ${name} = ${value}`)
    .join('; ')

/** The same for one transaction, where a pooler gives the next one another connection. */
export const forTransaction = (given: Deadlines) =>
  Object.entries(inMilliseconds(given))
    .map(([name, value]) => `set local ${name} = ${value}`)
    .join('; ')

// statement or cancelled, lock, idle transaction, whole transaction; then the words of the driver
const late = ['57014', '55P03', '25P03', '25P04', 'CONNECT_TIMEOUT', 'ANSWER_TIMEOUT', 'POOL_TIMEOUT']

/** Whether it failed because a deadline passed: another try may well go better. */
export function isLate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, cause } = error as Error & { code?: string }
  return (code !== undefined && late.includes(code)) || isLate(cause)
}
