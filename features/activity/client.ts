import { AsyncLocalStorage } from 'node:async_hooks'
import type { Client } from '../../plugins/http/client.ts'

const client = new AsyncLocalStorage<Client>()

/** Everything that `work` records gets this client. Passed implicitly, so no domain function can forget it. */
export const comingFrom = <Result>(given: Client, work: () => Result) => client.run(given, work)

/** The current client. Undefined in jobs and commands. */
export const clientNow = () => client.getStore()
