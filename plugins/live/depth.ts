/** Whether a value has more than so many levels of objects and lists. Level by level: what calls itself runs out of stack where it should say no. */
export function isDeeperThan(most: number, value: unknown) {
  let level = [value].filter(isContainer)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === most) return true
    level = level.flatMap((container) => Object.values(container).filter(isContainer))
  }
  return false
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
