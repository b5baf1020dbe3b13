import compress from '@fastify/compress'
import fp from 'fastify-plugin'

/** Compresses text from 1 KiB up. A compressed request body is not unpacked: nobody here sends one, and a small one can hold gigabytes. */
export default fp<{ enabled: boolean }>(
  async (app, { enabled }) => {
    if (!enabled) return
    await app.register(compress, { encodings: ['br', 'gzip'], globalDecompression: false })
  },
  { name: 'compression' },
)
