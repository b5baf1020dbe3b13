import postgres from 'postgres'

// Listening connections, as many as 50 processes would have, and a count of what they receive.

export type Listeners = { url: string; count: number }

let heard = 0

process.on('message', async ({ url, count }: Listeners) => {
  if (count > 0) {
    const connections = Array.from({ length: count }, () => postgres(url, { max: 1, fetch_types: false }))
    await Promise.all(connections.map((sql) => sql.listen('live', () => heard++)))
  }
  process.send?.({ heard })
})
process.once('disconnect', () => process.exit())
