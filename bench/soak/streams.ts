import { type ClientRequest, request } from 'node:http'
import type { Person } from '../lib/visitor.ts'

/** Opens this many streams, distributed among these people. */
export async function openStreams(url: string, people: Person[], count: number) {
  const open: ClientRequest[] = []
  for (let n = 0; n < count; n++) {
    const person = people[n % people.length]
    if (person) open.push(await openOne(url, person))
  }
  return async () => {
    for (const stream of open) stream.destroy()
  }
}

function openOne(url: string, { slug, cookie }: Person) {
  const identifiers = JSON.stringify([JSON.stringify({ account: slug, channel: 'AccountChannel' })])
  return new Promise<ClientRequest>((resolve, reject) => {
    const headers = { cookie, accept: 'text/event-stream' }
    const stream = request(
      `${url}/live?s=${encodeURIComponent(identifiers)}`,
      { headers, agent: false },
      (response) => {
        response.resume().on('error', () => {})
        resolve(stream)
      },
    )
    stream.once('error', reject).end()
  })
}
