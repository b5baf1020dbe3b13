import type { FastifyInstance } from 'fastify'
import { operatorLog } from '../../drizzle/tables/operators.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import type { Action } from './props.ts'

type Entry = Omit<typeof operatorLog.$inferInsert, 'id' | 'action'> & { action: Action }

/**
 * Names nobody but the operator, by their id: the log outlives the people it is about. A command line has no operator.
 */
export const logAction = (db: Database | Tx, entry: Entry) => db.insert(operatorLog).values(entry)

type Clock = Pick<FastifyInstance, 'now'>

/** What somebody did at the command line. */
export const logCommand = ({ now }: Clock, db: Database | Tx, action: Action, userId: number | null) =>
  logAction(db, { operatorId: null, action, userId, createdAt: now() })
