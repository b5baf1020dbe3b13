import { type Speech, translate } from './translate.ts'

/** What stands between two tags, white space aside. */
export const betweenTags = /(?<=>)[^<>]*[^<>\s][^<>]*(?=<)/g

/** A page without scripts in a language: what stands between its tags is translated. */
export const translateHtml = (html: string, speech: Speech) =>
  html
    .replace('<html lang="en">', `<html lang="${speech.tag}" dir="${speech.dir}">`)
    .replace(betweenTags, (words) => translate(speech, words.replace(/\s+/g, ' ').trim()))
