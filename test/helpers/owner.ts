/** What stops the things that were started for it: a test, or a run of the bench. */
export type Owner = { teardown(stop: () => unknown): unknown }
