import type { Comparison } from './load.ts'

export type Row = { what: string; target: string; aim: string; result: string; met: boolean; before?: string }

export const ratioRow = (what: string, { ratio, ours, theirs }: Comparison, target: number, aim?: number): Row => ({
  what,
  target: `≥ ${target.toFixed(2)}`,
  aim: aim ? aim.toFixed(2) : '',
  result: `${ratio.toFixed(2)} (${Math.round(ours)} of ${Math.round(theirs)} a second)`,
  met: ratio >= target,
})

type Limit = { unit: string; target: number; aim?: number; digits?: number }

export const limitRow = (what: string, value: number, { unit, target, aim, digits = 0 }: Limit): Row => ({
  what,
  target: `≤ ${target.toFixed(digits)} ${unit}`,
  aim: aim ? `${aim.toFixed(digits)} ${unit}` : '',
  result: `${value.toFixed(digits)} ${unit}`,
  met: value <= target,
})

/** A rate per second. */
export const rateRow = (what: string, rate: number, target: number): Row => ({
  what,
  target: `≥ ${target} a second`,
  aim: '',
  result: `${Math.round(rate)} a second`,
  met: rate >= target,
})

export const countRow = (what: string, count: number, target: number): Row => ({
  what,
  target: String(target),
  aim: '',
  result: String(count),
  met: count === target,
})

export function printTable(rows: Row[]) {
  const second = rows.some(({ before }) => before) ? 'before' : 'aim'
  const head = ['', 'target', second, 'result', '']
  const table = [
    head,
    ...rows.map((row) => [row.what, row.target, row[second] ?? '', row.result, row.met ? '' : 'missed']),
  ]
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  for (const row of table) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
    console.log(line.trimEnd())
  }
}
