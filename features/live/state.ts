const maxBytes = 1024
const maxDepth = 8
// An escaped NUL or half a surrogate pair, which Postgres cannot store as text. Only an even number of backslashes
// before it makes it an escape.
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** Whether a client may announce this as its state. */
export function isState(state: unknown) {
  if (isDeeperThan(maxDepth, state)) return false
  const json = JSON.stringify(state ?? {})
  return Buffer.byteLength(json) <= maxBytes && !unstorable.test(json)
}

/** Iterative, because recursion would overflow the stack on exactly the input it should reject. */
function isDeeperThan(maxDepth: number, value: unknown) {
  let level = [value].filter(isContainer)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) return true
    level = level.flatMap((container) => Object.values(container).filter(isContainer))
  }
  return false
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
