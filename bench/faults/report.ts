import { readFile, writeFile } from 'node:fs/promises'
import type { Observed } from './observe.ts'
import type { Verified } from './verify.ts'

const head = ['Fault', 'Over', 'Lasts', 'Responses', 'Slowest', 'Recovers', 'Live updates']

/** A row per fault, with the runs over plain text and TLS side by side. */
export function tableOf(observed: Observed[]) {
  const rows = observed.map((row) => [row.fault, row.transport, ...(row.skipped ? [row.skipped] : cellsOf(row))])
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${head.map((_, n) => cells[n] ?? '').join(' | ')} |`).join('\n')
}

function cellsOf({ lasted = 0, right = 0, wrong = new Map(), slowest = 0, recovered, liveAfter }: Observed) {
  const failures = [...wrong]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${count} × ${word(status)}`)
  const answers = [`${right} right`, ...failures].join(', ')
  return [inSeconds(lasted), answers, inSeconds(slowest), after(recovered), after(liveAfter)]
}

const word = (status: number) => (status === 0 ? 'no answer' : String(status))
const inSeconds = (seconds: number) => `${seconds.toFixed(1)} s`
const after = (seconds: number | undefined) => {
  if (seconds === undefined) return 'never'
  return seconds < 0.05 ? 'at once' : `after ${inSeconds(seconds)}`
}

type Mails = { expected: number; came: number; lost: number }

/** What happened to the writes during the faults. */
export const summaryOf = (
  transport: string,
  { acknowledged, lost, unanswered, thereAllTheSame }: Verified,
  mails: Mails,
) =>
  `
Over ${transport}, ${lost} of ${acknowledged} acknowledged writes were lost. ${thereAllTheSame} of ${unanswered} writes
that were answered with an error were stored. ${mails.came} of ${mails.expected} mails to people who signed up
arrived, ${mails.lost} were lost.`.trim()

export const marks = ['<!-- made by npm run faults -->', '<!-- end of what npm run faults made -->'] as const

/** Inserts the text between the marks in a document. */
export async function putInto(document: URL, text: string) {
  const [begin, end] = marks
  const whole = await readFile(document, 'utf8')
  const [from, to] = [whole.indexOf(begin), whole.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${document.pathname} lacks the marks`)
  await writeFile(document, `${whole.slice(0, from + begin.length)}\n\n${text}\n\n${whole.slice(to)}`)
}
