import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./server/boot.ts') // compiled from the cache, unlike what this file imports
