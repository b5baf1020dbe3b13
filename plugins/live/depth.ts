/**
 * Whether a value has more than `most` levels of objects and arrays. Iterative, because recursion would overflow the
 * stack on exactly the input it should reject.
 */
export function isDeeperThan(most: number, value: unknown) {
  let level = [value].filter(isContainer)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === most) return true
    level = level.flatMap((container) => Object.values(container).filter(isContainer))
  }
  return false
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
