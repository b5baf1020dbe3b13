import { buildWhatIsStale } from '../../development/build.ts'
import { prepareServer } from './test-server.ts'

const [server] = await Promise.all([prepareServer(), buildWhatIsStale()])
await server.stop()
