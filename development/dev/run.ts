import { once } from 'node:events'
import { loadConfig } from '../../server/config.ts'
import { failStart, onShutdown, shutDownWithGrace } from '../../server/shutdown.ts'
import { greet, provide } from '../start.ts'
import { startDevelopment } from './index.ts'

// `npm run dev [-- --examples]`: keeps the address, the database and Vite while the application is loaded anew.

shutDownWithGrace()

try {
  const loaded = loadConfig(process.env)
  const made = await provide(loaded)
  const development = await startDevelopment(
    { ...process.env, ...made, WEB_CONCURRENCY: '1' },
    process.argv.includes('--examples'),
  )
  onShutdown(development.stop)
  development.server.listen(loaded.port, loaded.bind)
  await once(development.server, 'listening')
  greet(loaded, loaded)
} catch (error) {
  await failStart(error)
}
