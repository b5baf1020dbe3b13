import './server/preload.js' // for those who start this file without it, as they may

await import('./server/boot.ts') // compiled from the cache
