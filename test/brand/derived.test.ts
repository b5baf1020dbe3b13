import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import t from 'tap'
import { derived } from '../../development/brand/derived.ts'

const tolerance = 8 // of 255: other processors round otherwise

t.test('what `npm run brand` writes was written after the last change of brand/', async (t) => {
  for (const [file, content] of Object.entries(await derived())) {
    const written = readFileSync(new URL(`../../${file}`, import.meta.url))
    if (/\.(png|ico)$/.test(file)) t.ok((await difference(pngIn(written), pngIn(content))) <= tolerance, file)
    else t.ok(written.equals(Buffer.from(content)), file)
  }
})

/** A picture, or the last and largest of an icon. */
function pngIn(content: string | Buffer) {
  const file = Buffer.from(content)
  return file.subarray(file.lastIndexOf(Buffer.from('89504e47', 'hex')))
}

/** How far the pixel that differs most is from what it should be. */
async function difference(one: Buffer, other: Buffer) {
  const [before, after] = await Promise.all([one, other].map((png) => sharp(png).ensureAlpha().raw().toBuffer()))
  if (!before || before.length !== after?.length) return Number.POSITIVE_INFINITY
  return before.reduce((most, value, at) => Math.max(most, Math.abs(value - (after[at] ?? 0))), 0)
}
