import { startPostgres } from '../../development/postgres/index.ts'

// A process that uses the database until it is told to stop or killed.

const [folder = '', projectModule] = process.argv.slice(2)
const start: typeof startPostgres = projectModule ? (await import(projectModule)).startPostgres : startPostgres
const { url, stop } = await start({ folder })
process.on('message', async () => {
  await stop()
  process.disconnect()
})
process.on('SIGINT', () => {})
process.send?.(url)
