import { buildWhatIsStale } from '../../development/build.ts'
import { requirePatches } from '../../server/patches.ts'
import { prepareServer } from './database.ts'

requirePatches()
await Promise.all([buildWhatIsStale(), prepareServer()])
