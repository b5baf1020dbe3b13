/**
 * Makes Postgres use an index wherever there is one. All statements here look up a few rows, but one that is kept
 * prepared keeps its plan: made while a table is small, as all are at first, that plan scans the table however much it
 * grows, until the next analyze. JIT compiles what looks expensive, as a scan without an alternative does to older
 * versions.
 */
export const byIndex = 'set enable_seqscan = off; set jit = off'
