const prefix = 'of-person:'

// A browser may refuse storage: then what is kept lives as long as the document, in memory.
const memory = new Map<string, string>()

/** What this tab keeps about the person at it. */
export function keep(name: string, value: unknown) {
  const json = JSON.stringify(value)
  memory.set(name, json)
  try {
    sessionStorage.setItem(prefix + name, json)
  } catch {}
}

/** What was kept under a name, as JSON: the same text as long as it is the same. */
export function kept(name: string) {
  try {
    return sessionStorage.getItem(prefix + name) ?? undefined
  } catch {
    return memory.get(name)
  }
}

export function forget(name: string) {
  memory.delete(name)
  try {
    sessionStorage.removeItem(prefix + name)
  } catch {}
}

/** Everything: the person has gone, and another may come. */
export function forgetAll() {
  memory.clear()
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name)
  } catch {}
}
