type Answer = { headers: Record<string, string>; data: unknown }

const nameOf = ({ headers }: Answer) =>
  /^attachment; filename="([^"]+)"/.exec(headers['content-disposition'] ?? '')?.[1]

export const isFile = (answer: Answer) => nameOf(answer) !== undefined

export function saveFile(answer: Answer) {
  // The client has already parsed it if it was JSON.
  const text = typeof answer.data === 'string' ? answer.data : JSON.stringify(answer.data, null, 2)
  saveText(nameOf(answer), text, answer.headers['content-type'])
}

export function saveText(name: string | undefined, text: string, type = 'text/plain') {
  const url = URL.createObjectURL(new Blob([text], { type }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000) // the browser has read it by then
}
