import './server/preload.ts'
import cluster from 'node:cluster'
import { endWithNpm } from './server/parent.ts'

if (cluster.isPrimary) endWithNpm(process.env)

// The supervisor loads nothing of the application, which saves 80 MiB.
const watches = cluster.isPrimary && Number(process.env.WEB_CONCURRENCY) > 1
await import(watches ? './server/supervise.ts' : './server/boot.ts')
