import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { accounts } from '../../drizzle/schema.ts'
import { pictures } from '../../drizzle/tables/pictures.ts'
import { password, sharedAcme, sharedPerson, signedUp, userRow } from '../helpers/people.ts'
import { formats, formOf, noise, picture, upload } from '../helpers/pictures.ts'

async function startWithPerson(t: Test) {
  const started = await sharedPerson(t)
  const stored = async () => {
    const [found] = await started.db.select().from(pictures).where(eq(pictures.userId, started.user.id))
    if (!found) throw new Error('there is no picture')
    return found
  }
  return { ...started, stored }
}

t.test('every picture, and noise too, becomes a square of 256 pixels as WebP of at most 40 kB', async (t) => {
  const { browser, stored } = await startWithPerson(t)
  const size = { width: 256, height: 256 }
  const noisy = [noise(size), noise({ ...size, channels: 4 })].map((each) => each.png().toBuffer())
  for (const file of await Promise.all([...formats.map((format) => picture(format)), ...noisy])) {
    const page = await upload(browser, file)
    t.same(page.flash, { notice: 'Your picture has been updated' })
    t.equal(page.url, '/settings/profile')
    const { bytes } = await stored()
    t.match(await sharp(bytes).metadata(), { format: 'webp', width: 256, height: 256 })
    t.ok(bytes.length <= 40_000)
  }
})

t.test('a picture is turned upright, whichever of the eight orientations it has', async (t) => {
  const { browser, stored, db } = await startWithPerson(t)
  const upright = await picture('png', { width: 300, height: 300 })
  // How a camera stores it: the reverse of what the orientation asks for.
  for (const [index, angle] of [0, 0, 180, 180, 90, 270, 270, 90].entries()) {
    const mirrored = [1, 3, 4, 6].includes(index)
    const turned = await sharp(upright).rotate(angle).toBuffer()
    const file = sharp(turned)
      .flop(mirrored)
      .withMetadata({ orientation: index + 1 })
    t.ok((await upload(browser, await file.jpeg().toBuffer())).flash?.notice)
    const { bytes } = await stored()
    const data = await sharp(bytes).raw().toBuffer()
    const [top = 0, bottom = 0] = [data[0], data[data.length - 3]]
    t.ok(top > 150 && bottom < 100, `orientation ${index + 1}`)
    await db.execute('delete from rate_limits')
  }
})

t.test('only the pixels of the file are kept', async (t) => {
  const { browser, stored } = await startWithPerson(t)
  const secret = 'where it was taken'
  const exif = {
    IFD0: { Copyright: secret, ImageDescription: secret },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1' },
  }
  const plain = sharp(await picture('jpeg'))
  const tagged = await plain.withExif(exif).withIccProfile('p3').jpeg().toBuffer()
  t.ok(tagged.includes(secret))
  await upload(browser, Buffer.concat([tagged, Buffer.from(`PK\x03\x04${secret}<script>`)]))
  const { bytes } = await stored()
  t.notOk(bytes.includes(secret))
  const { exif: left, icc, xmp, iptc, comments } = await sharp(bytes).metadata()
  t.same([left, icc, xmp, iptc, comments].filter(Boolean), [])
})

t.test('of an animation, the first frame is kept', async (t) => {
  const { browser, stored } = await startWithPerson(t)
  const size = { width: 100, height: 100 }
  const frames = sharp([await picture('png', size), await noise(size).png().toBuffer()], { join: { animated: true } })
  for (const format of ['gif', 'webp'] as const) {
    const animation = await frames.clone().toFormat(format).toBuffer()
    t.equal((await sharp(animation).metadata()).pages, 2)
    t.ok((await upload(browser, animation)).flash?.notice)
    const { bytes } = await stored()
    t.notOk((await sharp(bytes).metadata()).pages)
    const [first] = await sharp(bytes).raw().toBuffer()
    t.ok((first ?? 0) > 150)
  }
})

t.test('anyone with its key gets a picture, cached for ever and sandboxed, and the export contains it', async (t) => {
  const { app, browser, stored } = await startWithPerson(t)
  const exported = async () =>
    (await browser.request('POST', '/settings/export', { body: { password_challenge: password } })).json()
  t.equal((await exported()).picture, null)
  await upload(browser, await picture())
  const { key, bytes } = await stored()
  t.equal((await exported()).picture, `data:image/webp;base64,${bytes.toString('base64')}`)
  t.match(key, /^[\w-]{22}$/)
  const response = await app.inject(`/pictures/${key}.webp`)
  t.equal(response.statusCode, 200)
  t.same(response.rawPayload, bytes)
  t.match(response.headers, {
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  t.notOk(response.headers['set-cookie'])
  for (const other of ['x', `${key.slice(1)}x`, 'x'.repeat(22), `${key}x`, '%00', key.toLowerCase()]) {
    t.equal((await app.inject(`/pictures/${other}.webp`)).statusCode, 404, other)
  }
  t.equal((await app.inject(`/pictures/${key}`)).statusCode, 404)
})

t.test('a new picture has a new key, and the old one is gone at once', async (t) => {
  const { app, db, user, browser, stored } = await startWithPerson(t)
  await upload(browser, await picture())
  const first = await stored()
  await upload(browser, await picture())
  const second = await stored()
  t.not(second.key, first.key)
  t.equal((await app.inject(`/pictures/${first.key}.webp`)).statusCode, 404)
  t.equal((await userRow(db, user.id)).picture, second.key)

  const page = await browser.submit('DELETE', '/settings/picture')
  t.same(page.flash, { notice: 'Your picture has been removed' })
  t.equal(page.url, '/settings/profile')
  t.equal((await app.inject(`/pictures/${second.key}.webp`)).statusCode, 404)
  t.equal((await userRow(db, user.id)).picture, null)
  t.equal((await browser.submit('DELETE', '/settings/picture')).flash?.notice, 'Your picture has been removed')
  const types = (await browser.visit('/settings/activity')).props.activities
  t.match(types.slice(0, 3), [
    { type: 'picture_changed', details: { removed: true } },
    { type: 'picture_changed', details: { removed: false } },
    { type: 'picture_changed', details: { removed: false } },
  ])
  t.not(types[3].type, 'picture_changed')
})

t.test('two concurrent uploads leave one picture', async (t) => {
  const { app, db, user, browser } = await startWithPerson(t)
  const bytes = await picture()
  await Promise.all([upload(browser, bytes), upload(browser, bytes)])
  const keys = (await db.select().from(pictures)).map(({ key }) => key)
  t.same(keys, [(await userRow(db, user.id)).picture])
  t.equal((await app.inject(`/pictures/${keys[0]}.webp`)).statusCode, 200)
})

t.test('managers change the picture of an account, members do not', async (t) => {
  const { app, db, account, path, owner, join } = await sharedAcme(t)
  const [admin, member] = [await join('admin'), await join('member')]
  const keyNow = async () => (await db.select().from(accounts).where(eq(accounts.id, account.id)))[0]?.picture
  for (const { browser } of [owner, admin]) {
    const page = await upload(browser, await picture(), `${path}/picture`)
    t.same(page.flash, { notice: 'Picture updated' })
    t.equal(page.url, `${path}/settings`)
    t.equal((await app.inject(`/pictures/${await keyNow()}.webp`)).statusCode, 200)
  }
  const key = await keyNow()
  for (const refused of [
    await upload(member.browser, await picture(), `${path}/picture`),
    await member.browser.submit('DELETE', `${path}/picture`),
  ]) {
    t.same(refused.flash, { alert: "You don't have permission to do that" })
  }
  t.equal(await keyNow(), key)
  const stranger = await signedUp(app)
  const form = formOf(await picture())
  t.equal((await stranger.browser.request('PUT', `${path}/picture`, { body: form })).statusCode, 404)

  const page = await admin.browser.submit('DELETE', `${path}/picture`)
  t.same(page.flash, { notice: 'Picture removed' })
  t.equal((await app.inject(`/pictures/${key}.webp`)).statusCode, 404)
  const { activities } = (await owner.browser.visit(`${path}/activity`)).props
  t.match(activities[0], { type: 'picture_changed', actor_name: admin.user.name, details: { removed: true } })
})

t.test('pictures of a deleted user, and of accounts that go with them, are gone', async (t) => {
  const { app, db, browser, slug } = await startWithPerson(t)
  await upload(browser, await picture())
  await upload(browser, await picture(), `/${slug}/picture`)
  const keys = (await db.select().from(pictures)).map(({ key }) => key)
  t.equal(keys.length, 2)
  await browser.submit('DELETE', '/users', { password_challenge: password })
  t.same(await db.select().from(pictures), [])
  for (const key of keys) t.equal((await app.inject(`/pictures/${key}.webp`)).statusCode, 404)
})

t.test('a forged upload is refused, and one from a page that shows somebody else', async (t) => {
  const { browser, db } = await startWithPerson(t)
  t.equal((await browser.send('PUT', '/settings/picture', { body: formOf(await picture()) })).statusCode, 422)
  t.equal((await browser.precognize('PUT', '/settings/picture', {})).statusCode, 400)
  const fromAnother = { body: formOf(await picture()), headers: { 'x-signed-in-as': 'guest' } }
  t.match(await browser.request('PUT', '/settings/picture', fromAnother), {
    statusCode: 303,
    headers: { location: '/' },
  })
  t.same(await db.select().from(pictures), [])
})
