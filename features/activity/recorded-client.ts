import { AsyncLocalStorage } from 'node:async_hooks'
import type { Client } from '../../plugins/http/client.ts'

const client = new AsyncLocalStorage<Client | undefined>()

/** Everything that `work` records gets this client. Passed implicitly, so no domain function can forget it. */
export const comingFrom = <Result>(given: Client, work: () => Result) => client.run(given, work)

/** What `work` records gets no client: it happens because of somebody who does not appear in it. */
export const comingFromNowhere = <Result>(work: () => Result) => client.run(undefined, work)

/** The current client. Undefined in jobs and commands. */
export const clientNow = () => client.getStore()
