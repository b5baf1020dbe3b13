import type { Owner } from '../../test/helpers/owner.ts'
import type { Person } from '../../test/helpers/visitor.ts'
import type { Stage } from './stage.ts'
import type { Write } from './visitors.ts'
import { webhooks } from './webhooks.ts'

/** What else is sent while faults are made, and what an option's own ones are. */
type Sender = {
  environment: Record<string, string>
  start(owner: Owner): Promise<void>
  addTo(stage: Stage, person: Person): Promise<void>
  faults: Record<string, (stage: Stage) => Promise<unknown>>
  columns: string[]
  /** A cell for each column. Adds to `lost` what was acknowledged and never arrived. */
  count(stage: Stage, writes: Write[], lost: Set<Write>): Promise<string[]>
}

export const senders: Sender[] = [webhooks]
