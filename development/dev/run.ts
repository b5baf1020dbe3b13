import { once } from 'node:events'
import { loadConfig } from '../../server/config.ts'
import { failStart } from '../../server/describe-error.ts'
import { endWithNpm } from '../../server/parent.ts'
import { onShutdown, shutDownWithGrace } from '../../server/shutdown.ts'
import { greet } from '../greet.ts'
import { startDevelopment } from './index.ts'
import { prepare } from './prepare.ts'

// `npm run dev`: keeps the address, the database and Vite while the server restarts on changes.

shutDownWithGrace()
endWithNpm(process.env)

try {
  const config = loadConfig(process.env)
  const { made, stop } = await prepare(config, { build: false })
  onShutdown(stop)
  const development = await startDevelopment(config, { ...process.env, ...made })
  onShutdown(development.stop)
  development.server.listen(config.port, config.bind)
  await once(development.server, 'listening')
  greet(config, config)
} catch (error) {
  await failStart(error)
}
