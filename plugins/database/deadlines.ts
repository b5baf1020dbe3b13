/** Time limits in seconds. Each leaves enough time for those inside it. */
export const deadlines = {
  /** Connecting, in case a server accepts the connection and then does not respond. */
  connect: 5,
  /** Waiting for a connection of the pool. */
  wait: 5,
  /** Waiting for a lock. */
  lock: 5,
  /** Interval of TCP keep-alives, to notice a lost host even on idle connections. */
  keepAlive: 10,
  /** A statement. */
  statement: 10,
  /** An idle transaction. Its connection is closed. */
  idleTransaction: 15,
  /** A query without any response. Its connection is closed. */
  answer: 15,
  /** A request, whatever it does. */
  request: 30,
}
/** In seconds. 0 stands for no limit. */
export type Deadlines = typeof deadlines
type Enforced = Pick<Deadlines, 'statement' | 'lock' | 'idleTransaction'>

/** Those that Postgres enforces, as its settings. */
export const settingsOf = ({ statement, lock, idleTransaction }: Enforced) => ({
  statement_timeout: statement * 1000,
  lock_timeout: lock * 1000,
  idle_in_transaction_session_timeout: idleTransaction * 1000,
})

/** The same for one transaction, behind a pooler that may use another connection for the next or ignores options. */
export const forTransaction = (given: Enforced) =>
  Object.entries(settingsOf(given))
    .map(([name, value]) => `set local ${name} = ${value}`)
    .join('; ')

// statement timeout or cancelled, lock, idle transaction, whole transaction, then the codes of the driver
const late = ['57014', '55P03', '25P03', '25P04', 'CONNECT_TIMEOUT', 'ANSWER_TIMEOUT', 'POOL_TIMEOUT']

/** No connection of a pool was free in time. */
export const poolTimeout = () => Object.assign(new Error('no connection was free in time'), { code: 'POOL_TIMEOUT' })

/** Whether it failed because of a time limit. A retry may succeed. */
export function isLate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, cause } = error as Error & { code?: string }
  return (code !== undefined && late.includes(code)) || isLate(cause)
}
