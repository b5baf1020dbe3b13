/** Where an option serves the pictures of people and accounts. Without it there are none to see. */
export const served: { picture?: (key: string) => string } = {}

export const picturePath = (key: string | null) => (key && served.picture?.(key)) || null
