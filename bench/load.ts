import autocannon from 'autocannon'

const rounds = 5

export type Load = Parameters<typeof autocannon>[0] & { status: number }

/** Responses per second. Throws on any other status: errors are fast and would look good. */
export async function throughput({ status, ...load }: Load) {
  const result = await autocannon({ connections: 32, duration: 3, ...load })
  const others = Object.keys(result.statusCodeStats).filter((code) => Number(code) !== status)
  if (result.errors > 0 || others.length > 0 || result.requests.total === 0)
    throw new Error(`${load.url} answered ${others.join(', ')} and failed ${result.errors} times`)
  return result.requests.total / result.duration
}

/** Alternating rounds, so that a slow machine affects both. Returns the median of their ratios, and both rates. */
export async function compare(ours: Load, theirs: Load) {
  await throughput(ours)
  await throughput(theirs)
  const pairs: [number, number][] = []
  for (let round = 0; round < rounds; round++) pairs.push([await throughput(ours), await throughput(theirs)])
  const rates = [0, 1].map((side) => Math.round(median(pairs.map((pair) => pair[side] as number))))
  return { ratio: median(pairs.map(([our, their]) => our / their)), rates: `${rates.join(' and ')} a second` }
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number

export type Row = [what: string, target: string, result: string]

/** Our rate as a share of that of a bare route. */
export async function besideBare(what: string, ours: Load, theirs: Load, target: number): Promise<Row> {
  const { ratio, rates } = await compare(ours, theirs)
  return [`${what}, of a bare route`, `≥ ${target.toFixed(2)}`, `${ratio.toFixed(2)} (${rates})`]
}
