import type { Row } from '../lib/table.ts'
import { deliveryRows } from './delivery.ts'
import { heartbeatsRow } from './heartbeats.ts'
import { idleRows } from './idle.ts'
import { everybody, small, thousand } from './seed.ts'
import { startStage } from './stage.ts'
import { visitsRow } from './visitors.ts'

/** 9,000 open streams of one process, compared with a bare Node server. Fills the migrated database with people. */
export async function benchLive(databaseUrl: string): Promise<Row[]> {
  const stage = await startStage(databaseUrl)
  try {
    const idle = await idleRows(stage)
    const heartbeats = await heartbeatsRow(stage, idle)
    const visits = await visitsRow(stage)
    await stage.close()
    await stage.open((person) => [small(person), everybody, ...(person < 1000 ? [thousand] : [])])
    return [...idle.rows, heartbeats, ...(await deliveryRows(stage)), visits]
  } finally {
    await stage.stop()
  }
}

/** Only its rows of idle streams and heartbeats. */
export async function benchHeartbeats(databaseUrl: string): Promise<Row[]> {
  const stage = await startStage(databaseUrl)
  try {
    const idle = await idleRows(stage)
    return [...idle.rows, await heartbeatsRow(stage, idle)]
  } finally {
    await stage.stop()
  }
}
