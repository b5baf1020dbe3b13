import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { childEnvironment, mark } from '../helpers/children.ts'

// A test that starts a process in a session of its own, and is killed.

const env = childEnvironment()
const child = spawn('sleep', ['600'], { env, detached: true, stdio: 'ignore' })
await once(child, 'spawn')
console.log(env[mark])
