import './preload.ts'

await import('./boot.ts')
