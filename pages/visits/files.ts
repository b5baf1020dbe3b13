type Answer = { headers: Record<string, string>; data: unknown }

/** Saves what an answer brings, if it is a file; says whether it was. */
export function saveFile({ headers, data }: Answer) {
  const [, name] = /^attachment; filename="([^"]+)"/.exec(headers['content-disposition'] ?? '') ?? []
  if (!name) return false
  // The client has parsed it already if it could.
  const text = typeof data === 'string' ? data : JSON.stringify(data, null, 2)
  const url = URL.createObjectURL(new Blob([text], { type: headers['content-type'] }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000) // by then it was read
  return true
}
