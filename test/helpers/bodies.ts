import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { listen } from './app.ts'
import { sharedPerson } from './people.ts'

export const chunked = { 'transfer-encoding': 'chunked' }
export const json = { 'content-type': 'application/json' }
export const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
export const onePiece = (byte: string) => `1\r\n${byte}\r\n`

/** Somebody signed in at a server that listens, and what sends raw bytes in their name. */
export async function startWithPerson(t: Test) {
  const { app, db, browser } = await sharedPerson(t)
  await listen(app)
  const headers = () => ({ ...browser.headers, ...browser.csrfHeader(), cookie: browser.cookieHeader() })

  /** Sends a head and pieces of a body, and returns what comes until the connection closes. */
  const send = async (line: string, more: Record<string, string>, body: string) => {
    await db.execute('delete from rate_limits')
    const client = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
    t.teardown(() => client.destroy())
    client.on('error', () => {})
    const fields = Object.entries({ host: 'localhost', connection: 'close', ...headers(), ...more })
    client.write(`${line} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`)
    client.write(body)
    const answer = await text(client).catch(() => '')
    return { status: Number(answer.split(' ')[1]), answer }
  }
  return { app, db, browser, headers, send }
}
