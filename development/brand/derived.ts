import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { customProperties, day } from '../../brand/themes.ts'
import { errorPages } from './error-pages.ts'

const brand = new URL('../../brand/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, brand), 'utf8')

/** A drawing in the colours of the day, for those who do not know the theme. */
const drawing = (file: string) =>
  read(file).replaceAll(/var\(--([\w-]+)\)/g, (_, name) => {
    const colour = (day as Record<string, string>)[name]
    if (!colour) throw new Error(`brand/${file} names ${name}, which brand/brand.ts does not have`)
    return colour
  })

const picture = (file: string, width: number) =>
  sharp(Buffer.from(drawing(file)), { density: 300 })
    .resize(width)
    .png({ compressionLevel: 9 })

/** The file of the first typeface, from a package or from brand/. */
function typeface() {
  const [, url = ''] = /url\('(.+?)'\)/.exec(read('typeface.css')) ?? []
  return readFileSync(url.startsWith('.') ? new URL(url, brand) : createRequire(import.meta.url).resolve(url))
}

const colours = `/* Written by \`npm run brand\` from brand/brand.ts. */
:root,
[data-theme] {
${customProperties}
}
`

/** Every file that is made from brand/, by its path. */
export const derived = async (): Promise<Record<string, string | Buffer>> => ({
  'pages/styles/colours.css': colours,
  'pages/public/error-pages.css': errorPages(),
  'pages/public/typeface.woff2': typeface(),
  'pages/public/icon.svg': drawing('sign.svg'),
  'pages/public/icon.png': await picture('app-icon.svg', 512).removeAlpha().toBuffer(),
  'pages/public/card.png': await picture('card.svg', 1200).removeAlpha().toBuffer(),
  'pages/public/favicon.ico': await picture('sign.svg', 48).toBuffer(), // browsers go by the content
})
