const maxBytes = 42 // as base64, between `=?UTF-8?B?` and `?=`, well below the 75 characters of RFC 2047

/**
 * Nodemailer leaves encoded words as they are, and people may write them into their names to hide what a reader will
 * see. Encoded once more, they are shown literally.
 */
export const subjectOf = (words: string) => (words.includes('=?') ? encode(words) : words)

function encode(words: string) {
  const chunks = ['']
  for (const character of words) {
    const longer = (chunks.at(-1) ?? '') + character
    if (Buffer.byteLength(longer) <= maxBytes) chunks[chunks.length - 1] = longer
    else chunks.push(character)
  }
  // white space between encoded words is for folding only, and is not part of the text
  return chunks.map((chunk) => `=?UTF-8?B?${Buffer.from(chunk).toString('base64')}?=`).join(' ')
}
