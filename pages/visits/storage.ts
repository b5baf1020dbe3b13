const prefix = 'of-person:'

/** What the current user leaves in this tab. Where storage is blocked or full, nothing is kept. */
function attempt<Result>(act: (storage: Storage) => Result) {
  try {
    return act(sessionStorage)
  } catch {
    return undefined
  }
}

export const keep = (name: string, value: unknown) =>
  attempt((storage) => storage.setItem(prefix + name, JSON.stringify(value)))

/** As JSON: the same string while it is unchanged. */
export const kept = (name: string) => attempt((storage) => storage.getItem(prefix + name)) ?? undefined

export const forget = (name: string) => attempt((storage) => storage.removeItem(prefix + name))

/** Another user may come next. */
export const forgetAll = () =>
  attempt((storage) => {
    for (const name of Object.keys(storage)) if (name.startsWith(prefix)) storage.removeItem(name)
  })
