import { existsSync } from 'node:fs'
import staticFiles from '@fastify/static'
import fp from 'fastify-plugin'

const publicFiles = new URL('../../pages/public/', import.meta.url)
const assets = new URL('../../build/client/', import.meta.url)

/**
 * Public files, and under /assets/ the fingerprinted ones of the build. Each file is a route of its own, read from the folder at boot: what is no file then,
 * a hidden one, a folder or a path that leads out, is an unknown address like any other, and no wildcard stands before the routes of the application.
 */
export default fp(
  async (app) => {
    const everyFile = { wildcard: false, index: false, decorateReply: false } as const
    await app.register(staticFiles, { ...everyFile, root: publicFiles, maxAge: '1h' })
    // Vite serves them itself while pages are being developed.
    if (!existsSync(assets)) return
    await app.register(staticFiles, { ...everyFile, root: assets, prefix: '/assets/', maxAge: '1y', immutable: true })
  },
  { name: 'static' },
)
