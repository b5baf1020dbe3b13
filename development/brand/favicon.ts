/** PNGs in one file, as browsers ask for at /favicon.ico: a table of their sizes and places, then they themselves. */
export function favicon(pictures: Buffer[]) {
  const entry = 16
  const head = Buffer.alloc(6 + entry * pictures.length)
  head.writeUInt16LE(1, 2) // an icon
  head.writeUInt16LE(pictures.length, 4)
  let place = head.length
  for (const [index, picture] of pictures.entries()) {
    const at = 6 + entry * index
    head.writeUInt8(picture.readUInt32BE(16), at) // the width and height that a PNG begins with
    head.writeUInt8(picture.readUInt32BE(20), at + 1)
    head.writeUInt16LE(1, at + 4) // planes
    head.writeUInt16LE(32, at + 6) // bits a pixel
    head.writeUInt32LE(picture.length, at + 8)
    head.writeUInt32LE(place, at + 12)
    place += picture.length
  }
  return Buffer.concat([head, ...pictures])
}
