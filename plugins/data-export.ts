import fp from 'fastify-plugin'

/** Reads what a feature knows about a user, as its pages present it. What can be long is read in batches. */
type Read = (userId: number) => Promise<unknown> | AsyncIterable<unknown[]>

declare module 'fastify' {
  interface FastifyInstance {
    /** What people get when they export their data. Features add what they keep about a person. */
    dataExport: {
      /** Adds a key of the exported object. Never export what signs someone in: tokens, digests, keys. */
      add(key: string, read: Read): void
      /** The text of a JSON object, piece by piece: what someone did in a year can be more than memory has room for. */
      jsonOf(userId: number): AsyncIterable<string>
    }
  }
}

export default fp(async (app) => {
  const parts = new Map<string, Read>()
  app.decorate('dataExport', {
    add: (key, read) => void parts.set(key, read),
    async *jsonOf(userId) {
      let before = '{'
      // One at a time: an export must not take all connections.
      for (const [key, read] of parts) {
        const value = read(userId)
        const known = isList(value) ? [] : await value
        if (known === undefined) continue
        yield `${before}\n  ${JSON.stringify(key)}: `
        before = ','
        if (isList(value)) yield* listOf(value)
        else yield indented(known, 2)
      }
      yield '\n}'
    },
  })
})

const isList = (value: object): value is AsyncIterable<unknown[]> => Symbol.asyncIterator in value

async function* listOf(batches: AsyncIterable<unknown[]>) {
  let before = '['
  for await (const batch of batches) {
    let text = ''
    for (const item of batch) {
      text += `${before}\n    ${indented(item, 4)}`
      before = ','
    }
    yield text
  }
  yield before === '[' ? '[]' : '\n  ]'
}

/** As it stands in an object around it. A line feed inside of a string is escaped. */
const indented = (value: unknown, by: number) => JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(by)}`)
