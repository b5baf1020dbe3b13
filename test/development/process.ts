import { startPostgres } from '../../development/postgres/index.ts'

// A process that uses a database until it is told to stop, or killed.

const { url, stop } = await startPostgres({ folder: process.argv[2] ?? '' })
process.on('SIGINT', () => {})
process.once('message', () => stop().then(() => process.disconnect()))
process.send?.(url)
