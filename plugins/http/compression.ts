import compress from '@fastify/compress'
import fp from 'fastify-plugin'

/**
 * Compresses text from 1 KiB up. Compressed request bodies are not inflated: our clients do not send any, and a small
 * one could expand to gigabytes.
 */
export default fp<{ enabled: boolean }>(async (app, { enabled }) => {
  if (!enabled) return
  await app.register(compress, { encodings: ['br', 'gzip'], globalDecompression: false })
})
