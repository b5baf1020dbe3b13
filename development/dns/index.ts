import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** The TXT records of a name, each in its parts, or the code of a failure (RFC 1035, 4.1.1). */
export type DnsAnswer = { code?: number; texts?: string[][] } | 'silence'

export const noSuchName: DnsAnswer = { code: 3 }
const serverFailure: DnsAnswer = { code: 2 }

/** A DNS server on a free port of this machine, which asks `answerFor` about each name. */
export async function startDns(answerFor: (name: string) => DnsAnswer | Promise<DnsAnswer>) {
  const socket = createSocket('udp4')
  socket.on('message', async (query, from) => {
    const endOfName = query.indexOf(0, 12)
    const answer = await (async () => answerFor(nameIn(query.subarray(12, endOfName))))().catch(() => serverFailure)
    if (answer === 'silence') return
    const { code = 0, texts = [] } = answer
    const header = Buffer.from([0, 0, 0x84, code, 0, 1, 0, texts.length, 0, 0, 0, 0])
    query.copy(header, 0, 0, 2)
    const question = query.subarray(12, endOfName + 5)
    socket.send(Buffer.concat([header, question, ...texts.map(recordOf)]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { server: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() }
}

function nameIn(question: Buffer) {
  const labels: string[] = []
  for (let at = 0; at < question.length; at += (question[at] ?? 0) + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)))
  return labels.join('.').toLowerCase()
}

/** A TXT record of the name in the question, which is a pointer. */
function recordOf(parts: string[]) {
  const data = Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])))
  return Buffer.concat([Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, data.length]), data])
}
