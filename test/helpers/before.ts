import { buildWhatIsStale } from '../../development/build.ts'
import { prepareServer } from './database.ts'

await Promise.all([buildWhatIsStale(), prepareServer()])
