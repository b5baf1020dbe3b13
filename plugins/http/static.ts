import { existsSync } from 'node:fs'
import staticFiles from '@fastify/static'
import fp from 'fastify-plugin'

const publicFiles = new URL('../../pages/public/', import.meta.url)
const assets = new URL('../../build/client/', import.meta.url)

/** Each file gets its own route, read at boot, so hidden files and path traversal are plain 404s. */
export default fp(async (app) => {
  const everyFile = { wildcard: false, index: false, decorateReply: false } as const
  await app.register(staticFiles, { ...everyFile, root: publicFiles, maxAge: '1h' })
  // In development, Vite serves the assets.
  if (!existsSync(assets)) return
  await app.register(staticFiles, { ...everyFile, root: assets, prefix: '/assets/', maxAge: '1y', immutable: true })
})
