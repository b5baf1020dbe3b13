let loading: Promise<typeof import('./signed-in.ts')> | undefined

/** The other bundle: the pages behind the sign-in. */
export function loadSignedIn() {
  loading ??= import('./signed-in.ts')
  loading.catch(() => {
    loading = undefined // tried again when it is needed
  })
  return loading
}
