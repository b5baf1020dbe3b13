import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMemory } from '../lib/children.ts'
import { limitRow, type Row } from '../lib/table.ts'
import { Browser, newAddress } from './attacker.ts'

const bodies = 400
const length = 1_048_000 // bytes, all but the last of which are sent

/** Sends request bodies that never end, and measures the memory of the process meanwhile and 30 seconds later. */
export async function holdBodies(application: { url: string; pid: number | undefined }): Promise<Row[]> {
  const { head } = await Browser.open(application.url)
  await sleep(1000)
  const memory = async () => (await residentMemory(application.pid)) / 1024 ** 2
  const idle = await memory()
  const { hostname, port } = new URL(application.url)

  const begin = (from: string) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {}).resume()
    const headers = {
      ...head,
      host: hostname,
      'x-forwarded-for': from,
      'content-type': 'application/json',
      'content-length': length,
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`PATCH /identity/password_reset HTTP/1.1\r\n${lines.join('')}\r\n"${'x'.repeat(length - 2)}`)
    return socket
  }
  const sockets: Socket[] = Array.from({ length: bodies }, () => begin(newAddress()))
  let highest = idle
  for (let second = 0; second < 60; second++) {
    await sleep(500)
    highest = Math.max(highest, await memory())
  }
  const after = await memory()
  const open = sockets.filter(({ closed }) => !closed).length
  for (const socket of sockets) socket.destroy()
  return [
    limitRow(`memory 30 s after ${bodies} bodies that never end, of ${idle.toFixed(0)} MiB at rest`, after / idle, {
      unit: '×',
      target: 1.2,
      digits: 2,
    }),
    limitRow('the most that it was meanwhile', highest / idle, { unit: '×', target: 2, digits: 2 }),
    limitRow('of their connections are still open', open, { unit: '', target: 0 }),
  ]
}
