const prefix = 'of-person:'

// If storage is blocked, values live in memory for as long as the document.
const memory = new Map<string, string>()

/** Stores data about the current user in this tab. */
export function keep(name: string, value: unknown) {
  const json = JSON.stringify(value)
  memory.set(name, json)
  try {
    sessionStorage.setItem(prefix + name, json)
  } catch {}
}

/** The stored value as JSON. Returns the same string while it is unchanged. */
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

/** Removes everything, since another user may come next. */
export function forgetAll() {
  memory.clear()
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name)
  } catch {}
}
