const boundary = 'a-boundary'

/** The form that uploads a picture. */
export function formOf(file: Buffer) {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="picture"; filename="a"\r\n\r\n`
  return {
    body: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
