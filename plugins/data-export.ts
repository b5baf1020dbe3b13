import fp from 'fastify-plugin'

/** Reads what a feature knows about a user, as its pages present it. */
type Read = (userId: number) => Promise<unknown>

declare module 'fastify' {
  interface FastifyInstance {
    /** What people get when they export their data. Features add what they keep about a person. */
    dataExport: {
      /** Adds a key of the exported object. Never export what signs someone in: tokens, digests, keys. */
      add(key: string, read: Read): void
      of(userId: number): Promise<Record<string, unknown>>
    }
  }
}

export default fp(async (app) => {
  const parts = new Map<string, Read>()
  app.decorate('dataExport', {
    add: (key, read) => void parts.set(key, read),
    async of(userId) {
      const data: Record<string, unknown> = {}
      // One at a time: an export must not take all connections.
      for (const [key, read] of parts) data[key] = await read(userId)
      return data
    },
  })
})
