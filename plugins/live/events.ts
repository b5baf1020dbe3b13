import { on } from '../domain-events.ts'
import { recheckUser } from './broadcast.ts'
import { announcePresence, forgetPresence } from './presence.ts'

// Streams and presence end with the access of their user. Processes without streams import this file alone.

on('access_changed', recheckUser)
for (const name of ['user_replaced', 'user_deleted'] as const) {
  on(name, forgetPresence)
  on(name, recheckUser)
}
on('picture_changed', announcePresence)
