/** As stored and compared. One that is far too long is cut, because lower-casing a mebibyte can take 20 ms. */
export function normalizeEmail(email: string) {
  const start = Math.max(0, email.search(/[^\0\t-\r ]/))
  const read = email.slice(start, start + maxRead)
  return read.replace(/[\0\t-\r ]+$/, '').toLowerCase()
}

const maxRead = 1_000 // characters, far more than an address has
