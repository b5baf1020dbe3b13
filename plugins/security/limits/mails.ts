import type { Tx } from '../../database/index.ts'
import { tryTake } from './counter.ts'
import type { LimitName } from './table.ts'

type MailLimit = Extract<LimitName, `${string}_mail`>

/** Counts one mail to this address. Returns false if its mailbox has got all that a day allows. */
export const tryTakeMail = (tx: Tx, limit: MailLimit, address: string) => tryTake(tx, limit, mailboxOf(address))

/** `ana+shop@example.com` reaches `ana@example.com`, who must not get the mails of a day once for each such address. */
const mailboxOf = (address: string) => address.replace(/(?<=^[^@]+)\+[^@]*(?=@)/, '')
