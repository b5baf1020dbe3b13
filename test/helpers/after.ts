import { stopServer } from './database.ts'

await stopServer()
