import './server/preload.ts'
import cluster from 'node:cluster'

// The supervisor loads nothing of the application, which saves 80 MiB.
const watches = cluster.isPrimary && Number(process.env.WEB_CONCURRENCY) > 1
await import(watches ? './server/supervise.ts' : './server/boot.ts')
