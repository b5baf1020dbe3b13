import { finished } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Database } from '../../plugins/database/index.ts'
import { type Columns, csvOf, sendCsv } from '../../plugins/http/files.ts'
import { type LimitName, TooManyRequests } from '../../plugins/security/limits/index.ts'
import { everyActivityOf, type ListOptions } from './lists.ts'
import { type ActivityProps, type OwnActivityProps, presentActivity, presentOwnActivity } from './props.ts'

const columns: Columns<ActivityProps> = {
  time: ({ created_at }) => created_at,
  type: ({ type }) => type,
  actor: ({ actor_name }) => actor_name,
  person: ({ details }) => details.name ?? details.email,
  from: ({ details }) => ('from' in details ? details.from : undefined),
  to: ({ details }) => ('to' in details ? details.to : 'role' in details ? details.role : undefined),
}

const ownColumns: Columns<OwnActivityProps> = {
  ...columns,
  workspace: ({ details }) => details.account_name,
  method: ({ details }) => ('method' in details ? details.method : undefined),
  ip_address: ({ ip_address }) => ip_address,
  user_agent: ({ user_agent }) => user_agent,
}

export const accountCsvOf = (db: Database, accountId: number, options: ListOptions) =>
  csvOf(columns, everyActivityOf(db, { accountId }, presentActivity, options))

export const ownCsvOf = (db: Database, userId: number, options: ListOptions) =>
  csvOf(ownColumns, everyActivityOf(db, { userId }, presentOwnActivity(userId), options))

type File = { name: string; lines: AsyncIterable<string>; limit: LimitName }

/** Sends activity as a file, one at a time for each user and process. Throws TooManyRequests. */
export function sendActivity(reply: FastifyReply, { name, lines, limit }: File) {
  const { request, server, raw } = reply
  const { activityDownloads } = server
  const { id: userId } = request.signedIn.user
  if (activityDownloads.has(userId)) throw new TooManyRequests(limit, retrySeconds)
  activityDownloads.add(userId)
  finished(raw, () => activityDownloads.delete(userId)) // also if the user has gone already
  return sendCsv(reply, name, lines)
}

const retrySeconds = 10
