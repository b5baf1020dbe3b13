import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { loadConfig } from '../server/config.ts'
import { prepare } from './prepare.ts'

// `npm run dev`: keeps the database running while Node restarts the server on changes.

const { made, stop } = await prepare(loadConfig(process.env), { build: false })

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server.ts', '--hot'], {
  cwd: fileURLToPath(new URL('../', import.meta.url)),
  stdio: 'inherit',
  env: { ...process.env, ...made },
})
const exited = new Promise((resolve) => server.once('exit', resolve))

closeWithGrace({ delay: 10_000, logger: false }, async () => {
  server.kill('SIGTERM')
  await exited
  await stop()
})
