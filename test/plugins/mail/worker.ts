import { buildApp } from '../../../app.ts'
import { loadConfig } from '../../../server/config.ts'
import { defineGreeting } from './mails.ts'

// A process that sends greetings, for tests that kill it.

const app = await buildApp(loadConfig(process.env))
defineGreeting(app)
await app.mail.work()
