const prefix = 'of-person:'

/** Where storage is blocked or full, nothing is kept. */
function attempt<Result>(act: () => Result) {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** For this browser, for all who use it. */
export const remember = (name: string, value: string) => attempt(() => localStorage.setItem(name, value))
export const remembered = (name: string) => attempt(() => localStorage.getItem(name)) ?? undefined

/** What the current user leaves in this tab. */
export const keep = (name: string, value: unknown) =>
  attempt(() => sessionStorage.setItem(prefix + name, JSON.stringify(value)))

/** As JSON: the same string while it is unchanged. */
export const kept = (name: string) => attempt(() => sessionStorage.getItem(prefix + name)) ?? undefined

export const forget = (name: string) => attempt(() => sessionStorage.removeItem(prefix + name))

/** Another user may come next. */
export const forgetAll = () =>
  attempt(() => {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name)
  })
