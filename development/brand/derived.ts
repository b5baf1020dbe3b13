import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { customProperties, day, night } from '../../brand/themes.ts'

const brand = new URL('../../brand/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, brand), 'utf8')

type Theme = Record<string, string>

/** A file with its colours as values, since not all who read it know custom properties. `--ink-by-theme` is both. */
const coloured = (file: string, content = read(file)) =>
  content.replaceAll(/var\(--([\w-]+?)(-by-theme)?\)/g, (_, name, isByTheme) => {
    const [light, dark] = [(day as Theme)[name], (night as Theme)[name]]
    if (!light) throw new Error(`brand/${file} names ${name}, which brand/brand.ts does not have`)
    return isByTheme ? `light-dark(${light}, ${dark})` : light
  })

/** A drawing that follows the page around it, in browsers that can. */
const themed = (file: string) =>
  coloured(file, read(file).replaceAll(/(fill|stroke)="var\(--([\w-]+)\)"/g, '$& style="$1:var(--$2-by-theme)"'))

const picture = (file: string, width: number) =>
  sharp(Buffer.from(coloured(file)), { density: 300 })
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
  'pages/public/error-pages.css': coloured('error-pages.css').replace('/* ', '/* Written by `npm run brand`. '),
  'pages/public/typeface.woff2': typeface(),
  'pages/public/icon.svg': coloured('sign.svg'),
  'pages/public/picture.svg': themed('picture.svg'),
  'pages/public/icon.png': await picture('app-icon.svg', 512).removeAlpha().toBuffer(),
  'pages/public/card.png': await picture('card.svg', 1200).removeAlpha().toBuffer(),
  'pages/public/favicon.ico': await picture('sign.svg', 48).toBuffer(), // browsers go by the content
})
