import { AsyncLocalStorage } from 'node:async_hooks'
import type { Client } from '../../plugins/http/client.ts'

const client = new AsyncLocalStorage<Client>()

/** Everything that `work` records is said to come from this client. Handed on silently, so that no domain function can forget it. */
export const comingFrom = <Result>(given: Client, work: () => Result) => client.run(given, work)

/** Who is at the other end; undefined for jobs and commands. */
export const clientNow = () => client.getStore()
