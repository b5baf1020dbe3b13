import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** The IPv4 addresses and TXT records of a name, these in their parts, or the code of a failure (RFC 1035, 4.1.1). */
export type DnsAnswer = { code?: number; addresses?: string[]; texts?: string[][] } | 'silence'

const noSuchName = 3
const serverFailure: DnsAnswer = { code: 2 }
const typeA = 1
const typeTxt = 16

type Answer = DnsAnswer | undefined

/** A DNS server on a free port of this machine, which asks `answerFor` about each name: undefined if there is none. */
export async function startDns(answerFor: (name: string) => Answer | Promise<Answer>) {
  const socket = createSocket('udp4')
  socket.on('message', async (query, from) => {
    const endOfName = query.indexOf(0, 12)
    const answer = await (async () => answerFor(nameIn(query.subarray(12, endOfName))))().catch(() => serverFailure)
    if (answer === 'silence') return
    const { code = answer ? 0 : noSuchName, addresses = [], texts = [] } = answer ?? {}
    const type = query.readUInt16BE(endOfName + 1)
    const records = type === typeA ? addresses.map(dataOfAddress) : type === typeTxt ? texts.map(dataOfText) : []
    const header = Buffer.from([0, 0, 0x84, code, 0, 1, 0, records.length, 0, 0, 0, 0])
    query.copy(header, 0, 0, 2)
    const question = query.subarray(12, endOfName + 5)
    socket.send(
      Buffer.concat([header, question, ...records.map((data) => recordOf(type, data))]),
      from.port,
      from.address,
    )
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

const dataOfAddress = (address: string) => Buffer.from(address.split('.').map(Number))
const dataOfText = (parts: string[]) =>
  Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])))

/** A record of the name in the question, which is a pointer. */
const recordOf = (type: number, data: Buffer) =>
  Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data])
