import autocannon from 'autocannon'

const rounds = 5
const seconds = 3

export type Load = Omit<Parameters<typeof autocannon>[0], 'connections' | 'duration'> & {
  status: number
  connections?: number
}

/** Responses per second under load. Throws on any unexpected status: errors are fast and would look good. */
export async function throughput({ status, connections = 32, ...load }: Load) {
  const result = await autocannon({ ...load, connections, duration: seconds })
  const others = Object.keys(result.statusCodeStats).filter((code) => Number(code) !== status)
  if (result.errors > 0 || others.length > 0 || result.requests.total === 0) {
    throw new Error(`${load.url} answered ${others.join(', ')} and failed ${result.errors} times`)
  }
  return result.requests.total / result.duration
}

export type Comparison = { ratio: number; ours: number; theirs: number }

/** Alternating rounds, so that a slow machine affects both. Returns the median of the rounds' ratios. */
export async function compare(ours: Load, theirs: Load): Promise<Comparison> {
  await throughput(ours)
  await throughput(theirs)
  const pairs: Comparison[] = []
  for (let round = 0; round < rounds; round++) {
    const pair = { ours: await throughput(ours), theirs: await throughput(theirs) }
    pairs.push({ ...pair, ratio: pair.ours / pair.theirs })
  }
  return {
    ratio: median(pairs.map(({ ratio }) => ratio)),
    ours: median(pairs.map(({ ours }) => ours)),
    theirs: median(pairs.map(({ theirs }) => theirs)),
  }
}

export function median(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted[middle] ?? Number.NaN
}
