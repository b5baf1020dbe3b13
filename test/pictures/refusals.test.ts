import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { pictures } from '../../drizzle/tables/pictures.ts'
import { createDecoder } from '../../features/pictures/decoder.ts'
import { listen, sharedApp, startApp } from '../helpers/app.ts'
import { childEnvironment } from '../helpers/children.ts'
import { signedUp } from '../helpers/people.ts'
import { declaring, formats, formOf, noise, picture } from '../helpers/pictures.ts'

const unreadable = 'is not a picture we can read'

async function startWithPerson(t: Test, start = sharedApp) {
  const { app, db } = await start(t)
  const { browser } = await signedUp(app)
  /** What is said about this picture, or this body. */
  const message = async (sent: Buffer | object) => {
    await db.execute('delete from rate_limits')
    const body = sent instanceof Buffer ? formOf(sent) : sent
    const { url, props, flash } = await browser.submit('PUT', '/settings/picture', body)
    if (url !== '/settings/profile') throw new Error(`it leads to ${url}`)
    return flash?.notice ?? props.errors.picture?.join()
  }
  return { app, db, browser, message }
}

/** A decoder that has decoded a picture, and the process that did. */
async function startDecoder(t: Test, limits: { timeoutMs?: number; waitMs?: number } = {}) {
  const ends: unknown[] = []
  const patience = { startTimeoutMs: 60_000, timeoutMs: 60_000, waitMs: 60_000, ...limits }
  const decoder = createDecoder({ ...patience, warn: (about) => ends.push(about) })
  t.teardown(decoder.stop)
  const bytes = await picture()
  const own = decodersFromNow()
  await decoder.decode(bytes, 1)
  const [pid = 0] = own()
  return { decoder, ends, bytes, own, pid }
}

t.test('nothing, an empty file and a file in another field are blank', async (t) => {
  const { message } = await startWithPerson(t)
  const bytes = await picture()
  const forms = [formOf(Buffer.alloc(0)), formOf(bytes, 'other'), new FormData()]
  for (const body of [...forms, {}, { picture: null }, { picture: 'x' }]) {
    t.equal(await message(body), "can't be blank")
  }
})

t.test('a truncated picture of any format is unreadable', async (t) => {
  const { db, message } = await startWithPerson(t)
  for (const format of formats) {
    const whole = await noise({ width: 200, height: 150 }).toFormat(format).toBuffer()
    for (const share of [0.1, 0.5, 0.98]) {
      t.equal(await message(whole.subarray(0, whole.length * share)), unreadable, `${format}, ${share}`)
    }
  }
  t.same(await db.select().from(pictures), [])
})

t.test('other files are unreadable, whatever they call themselves', async (t) => {
  const { message } = await startWithPerson(t)
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
  const texts = [svg, '<!doctype html><script>alert(1)</script>', '%PDF-1.7', 'BM', 'GIF89a', '\x89PNG\r\n\x1a\n']
  const tiff = await sharp(await picture())
    .tiff()
    .toBuffer()
  for (const bytes of [...texts.map((text) => Buffer.from(text, 'latin1')), tiff, Buffer.alloc(8_000_000)]) {
    t.equal(await message(bytes), unreadable, bytes.toString('latin1', 0, 20))
  }
})

t.test('a file of more than 8 MB is too large, and one of more than 8 MiB may be a bare 413', async (t) => {
  const { app, browser, message } = await startWithPerson(t)
  const whole = await noise({ width: 1_700, height: 1_500 }).png({ compressionLevel: 0 }).toBuffer()
  const filled = (length: number) => Buffer.concat([whole, Buffer.alloc(length - whole.length)])
  t.equal(await message(filled(8_000_000)), 'Your picture has been updated')
  t.equal(await message(filled(8_000_001)), 'is too large (maximum is 8 MB)')
  t.equal(await message(filled(8_388_608)), 'is too large (maximum is 8 MB)')
  const body = formOf(filled(8_500_000))
  t.equal((await browser.request('PUT', '/settings/picture', { body })).statusCode, 413)
  t.equal((await app.inject('/up')).statusCode, 200)
})

t.test('a picture of more than 16 megapixels, or 50 of a JPEG, is refused before it is decoded', async (t) => {
  const { message } = await startWithPerson(t)
  const red = sharp({ create: { width: 4_001, height: 4_000, channels: 3, background: 'red' } })
  for (const bytes of [
    await declaring(60_000, 60_000),
    await declaring(4_001, 4_000),
    await red.webp({ lossless: true, effort: 0 }).toBuffer(),
  ]) {
    t.equal(await message(bytes), 'has too many pixels')
  }
  t.equal(await message(await red.jpeg().toBuffer()), 'Your picture has been updated')
  const jpeg = await picture('jpeg')
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(60_000, frame + 5)
  jpeg.writeUInt16BE(60_000, frame + 7)
  t.equal(await message(jpeg), 'has too many pixels')
})

t.test('a picture that crashes the decoder is unreadable, and the next one is decoded', async (t) => {
  const { decoder, ends, bytes, pid } = await startDecoder(t)
  const decoded = decoder.decode(bytes, 1)
  await immediate() // by then it was sent
  process.kill(pid, 'SIGSEGV')
  t.equal(await decoded, 'unreadable')
  t.same(ends, [{ code: null, signal: 'SIGSEGV' }])
  t.match(await decoder.decode(bytes, 1), { bytes: Uint8Array })
})

t.test('one picture is decoded at a time, twenty wait, and beyond that it is a 503', async (t) => {
  const { decoder, bytes, own, pid } = await startDecoder(t)
  process.kill(pid, 'SIGSTOP')
  const all = Array.from({ length: 21 }, (_, userId) => decoder.decode(bytes, userId))
  t.throws(() => decoder.rejectIfQueueFull(30), { message: 'too many pictures wait to be decoded' })
  await t.rejects(decoder.decode(bytes, 30), { message: 'too many pictures wait to be decoded' })
  t.same(own(), [pid])
  process.kill(pid, 'SIGCONT')
  for (const decoded of await Promise.all(all)) t.match(decoded, { bytes: Uint8Array })
})

t.test('one picture of each user waits, so others have their turn after one of them', async (t) => {
  const { decoder, bytes, pid } = await startDecoder(t)
  process.kill(pid, 'SIGSTOP')
  const decoded: number[] = []
  const all = [1, 1, 2].map((userId) => decoder.decode(bytes, userId).then(() => decoded.push(userId)))
  t.throws(() => decoder.rejectIfQueueFull(1), { message: 'too many pictures wait to be decoded' })
  t.doesNotThrow(() => decoder.rejectIfQueueFull(3))
  process.kill(pid, 'SIGCONT')
  await Promise.all(all)
  t.same(decoded, [1, 1, 2])
  t.doesNotThrow(() => decoder.rejectIfQueueFull(1))
})

t.test('the picture of a client that has left is not decoded, and its place is free', async (t) => {
  const { decoder, bytes, pid } = await startDecoder(t)
  process.kill(pid, 'SIGSTOP')
  const first = decoder.decode(bytes, 1)
  const client = new AbortController()
  const second = decoder.decode(bytes, 2, client.signal)
  t.throws(() => decoder.rejectIfQueueFull(2))
  client.abort()
  await t.rejects(second, { message: 'the client left while its picture waited' })
  t.doesNotThrow(() => decoder.rejectIfQueueFull(2))
  process.kill(pid, 'SIGCONT')
  t.match(await first, { bytes: Uint8Array })
})

t.test('a picture that waits too long is a 503, and one that takes too long is unreadable', async (t) => {
  const { decoder, bytes, pid } = await startDecoder(t, { timeoutMs: 5_000, waitMs: 50 })
  process.kill(pid, 'SIGSTOP')
  const [first, second] = [decoder.decode(bytes, 1), decoder.decode(bytes, 2)]
  await t.rejects(second, { message: 'pictures take too long to decode' })
  t.equal(await first, 'unreadable')
  t.match(await decoder.decode(bytes, 1), { bytes: Uint8Array })
})

t.test('the decoder has no environment of the server, and ends with it', async (t) => {
  const own = decodersFromNow()
  const { app, message } = await startWithPerson(t, startApp)
  t.same(own(), [], 'it is started with the first picture')
  await message(await picture())
  const [pid] = own()
  t.match(readFileSync(`/proc/${pid}/environ`, 'utf8'), /^(NODE_CHANNEL_\w+=\w+\0)*$/)
  t.equal(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim(), '1000')
  await app.close()
  while (own().length > 0) await sleep(5)

  const { href } = new URL('../../features/pictures/decoder.ts', import.meta.url)
  const script = `
    const { createDecoder } = await import(${JSON.stringify(href)})
    console.log(await createDecoder({ warn() {} }).decode(Buffer.from('GIF89a'), 1))
    setInterval(() => {}, 1_000)`
  const env = childEnvironment()
  const server = spawn(process.execPath, ['-e', script], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  await once(server.stdout, 'data')
  const [orphan] = decoders(String(server.pid))
  t.ok(orphan)
  server.kill('SIGKILL')
  while (existsSync(`/proc/${orphan}`)) await sleep(5)
})

t.test('a broken or unfinished upload ends, and nothing of it is stored', async (t) => {
  const { app, db, browser, message } = await startWithPerson(t)
  await listen(app)
  const type = 'multipart/form-data; boundary=x'
  const head = '--x\r\nContent-Disposition: form-data; name="picture"; filename="a"\r\n\r\n'
  const send = (more: Record<string, string | number>) => {
    const headers = { ...browser.headers, ...browser.csrfHeader(), cookie: browser.cookieHeader(), ...more }
    const outgoing = request(`${app.listeningOrigin}/settings/picture`, { method: 'PUT', agent: false, headers })
    outgoing.on('error', () => {}) // also one that breaks off
    const status = async () => (await once(outgoing, 'response'))[0].resume().statusCode
    return { outgoing, status }
  }
  for (const [contentType, body] of [
    [type, `${head}no end`],
    [type, 'nonsense'],
    ['multipart/form-data', head],
    ['image/png', 'x'],
  ] as const) {
    const { outgoing, status } = send({ 'content-type': contentType })
    outgoing.end(body)
    t.equal(await status(), 400, `${contentType}: ${body}`)
  }
  const twoFiles = formOf(await picture())
  twoFiles.append('other', new Blob(['x']), 'x')
  t.equal((await browser.request('PUT', '/settings/picture', { body: twoFiles })).statusCode, 400)
  const tenParts = formOf(await picture())
  for (let count = 0; count < 9; count++) tenParts.append('picture', 'x')
  t.equal(await message(tenParts), 'Your picture has been updated')
  tenParts.append('one more', 'x')
  t.equal((await browser.request('PUT', '/settings/picture', { body: tenParts })).statusCode, 400)
  await db.delete(pictures)

  const unending = send({ 'content-type': type, 'content-length': 1_000_000 })
  unending.outgoing.write('--x\r\n'.repeat(12))
  t.equal(await unending.status(), 400, 'before the rest arrives')
  unending.outgoing.destroy()
  const aborted = send({ 'content-type': type, 'content-length': 1_000_000 })
  aborted.outgoing.write(head)
  await once(app.server, 'request')
  aborted.outgoing.destroy()
  const endless = send({ 'content-type': type, 'transfer-encoding': 'chunked' })
  endless.outgoing.write(head)
  for (let mebibytes = 0; mebibytes < 9; mebibytes++) endless.outgoing.write(Buffer.alloc(1_048_576))
  t.equal(await endless.status(), 413)
  endless.outgoing.destroy()
  t.same(await db.select().from(pictures), [])
})

/** The decoders that this process starts from now on: others may be left of earlier tests. */
function decodersFromNow() {
  const before = decoders()
  return () => decoders().filter((pid) => !before.includes(pid))
}

/** The decoders that this process has started, or another one has. */
function decoders(parent = String(process.pid)) {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const [, state, above] = /^\d+ \(.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      const isOurs = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('decoder-process')
      return above === parent && state !== 'Z' && isOurs ? [Number(pid)] : []
    } catch {
      return [] // it has ended, or is no process
    }
  })
}
