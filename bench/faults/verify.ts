import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './stage.ts'
import type { Write } from './visitors.ts'

export type Verified = { acknowledged: number; lost: number; unanswered: number; thereAllTheSame: number }

/** Checks which writes persist: names together with their records, and people together with their accounts. */
export async function verify({ inside }: Stage, writes: Write[]): Promise<Verified> {
  const names = await inside<{ text: string }[]>`
    select details ->> 'to' as text from activities where type = 'account_renamed'`
  const people = await inside<{ text: string }[]>`
    select email as text from users where exists (
      select from memberships join accounts on accounts.id = account_id where user_id = users.id and personal)`
  const there = { name: textsOf(names), person: textsOf(people) }
  const isThere = ({ kind, text }: Write) => there[kind].has(text)
  const acknowledged = writes.filter(({ isAcknowledged }) => isAcknowledged)
  const unanswered = writes.filter(({ isAcknowledged }) => !isAcknowledged)
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((write) => !isThere(write)).length,
    unanswered: unanswered.length,
    thereAllTheSame: unanswered.filter(isThere).length,
  }
}

const textsOf = (rows: { text: string }[]) => new Set(rows.map(({ text }) => text))

const timeoutSeconds = 90 // since another worker takes over the mails of one that lost its connection

/** Counts the mails to new users: how many arrived, and how many neither arrived nor are queued. */
export async function verifyMails({ inside, mailbox }: Stage, writes: Write[]) {
  const people = writes.filter(({ kind, isAcknowledged }) => kind === 'person' && isAcknowledged)
  for (let second = 0; second < timeoutSeconds && (await waiting(inside)) > 0; second++) await sleep(1000)
  const came = people.filter(({ text }) => mailbox.count(text) > 0).length
  const kept = Math.min(people.length - came, await waiting(inside))
  return { expected: people.length, came, lost: people.length - came - kept }
}

async function waiting(inside: Stage['inside']) {
  const [row] = await inside`
    select count(*)::int as count from pgboss.job where name in ('mail', 'mail_dead') and state < 'completed'`
  return row?.count ?? 0
}
