import './server/preload.ts'

await import('./server/boot.ts')
