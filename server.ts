import './server/preload.ts'
import cluster from 'node:cluster'

// A process that only watches over others loads nothing of the application: that is 80 MiB.
const watches = cluster.isPrimary && Number(process.env.WEB_CONCURRENCY) > 1
await import(watches ? './server/supervise.ts' : './server/boot.ts')
