type PathOf = (key: string) => string

let pathOf: PathOf | undefined

/** Says where the pictures of people and accounts are. Until then there are none to see. */
export function servePicturesAt(path: PathOf) {
  pathOf = path
}

export const picturePath = (key: string | null) => (key && pathOf ? pathOf(key) : null)
