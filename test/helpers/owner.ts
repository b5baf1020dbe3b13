/** Runs cleanup functions at the end of a test or a benchmark. */
export type Owner = { teardown(stop: () => unknown): unknown }
