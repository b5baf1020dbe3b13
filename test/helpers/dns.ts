import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Owner } from './owner.ts'

export type DnsAnswer = { code?: number; texts?: string[][] } | 'silence'

/** A DNS server that says what a test wants of each name, and of others that there is none (NXDOMAIN). */
export async function startDns(owner: Owner) {
  const answers = new Map<string, DnsAnswer>()
  const asked: string[] = []
  const socket = createSocket('udp4')
  owner.teardown(() => socket.close())
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, 12)
    const name = nameIn(query.subarray(12, end))
    asked.push(name)
    const answer = answers.get(name) ?? { code: 3 }
    if (answer === 'silence') return
    const { code = 0, texts = [] } = answer
    const header = Buffer.from([0, 0, 0x84, code, 0, 1, 0, texts.length, 0, 0, 0, 0])
    query.copy(header, 0, 0, 2)
    socket.send(Buffer.concat([header, query.subarray(12, end + 5), ...texts.map(recordOf)]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { server: `127.0.0.1:${socket.address().port}`, answers, asked }
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
