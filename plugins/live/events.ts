import { on } from '../domain-events.ts'
import { recheckUser } from './broadcast.ts'
import { announcePresence, forgetPresence } from './presence.ts'

// Streams and presence end with the access of their user. Processes without streams import this file alone.

on('access_changed', recheckUser)
on('user_replaced', forgetPresence)
on('user_replaced', recheckUser)
on('picture_changed', announcePresence)
