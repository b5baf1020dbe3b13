import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './faults.ts'
import type { Stage } from './stage.ts'
import type { Answer, Visitors } from './visitors.ts'

/** What people saw during a fault: times in seconds, and counts by status. */
export type Observed = {
  fault: string
  transport: string
  skipped?: string
  lasted?: number
  right?: number
  wrong?: Map<number, number>
  slowest?: number
  recovered?: number | undefined
  liveAfter?: number | undefined
}

const calm = 2000 // milliseconds without a wrong response
const recoveryTimeoutMs = 60_000 // after which it will not recover on its own

/** Causes a fault and watches until everyone is served again. */
export async function observe({ name, make, skip }: Fault, transport: string, stage: Stage, visitors: Visitors) {
  const skipped = skip?.(stage)
  if (skipped) return { fault: name, transport, skipped }
  const { answers, heard, waitingSince } = visitors
  await sleep(calm)
  const from = performance.now()
  await make(stage)
  const ended = performance.now()

  const lastWrong = () => answers.findLast(({ isRight, until }) => !isRight && until > ended)?.until ?? ended
  const isCalm = () => performance.now() - lastWrong() > calm && waitingSince() > ended
  const isLive = () => heard.some((at) => at > ended)
  while (!(isCalm() && isLive()) && performance.now() - ended < recoveryTimeoutMs) await sleep(50)

  const meanwhile = answers.filter(({ until }) => until > from && until <= lastWrong())
  return {
    fault: name,
    transport,
    lasted: seconds(ended - from),
    right: meanwhile.filter(({ isRight }) => isRight).length,
    wrong: byStatus(meanwhile.filter(({ isRight }) => !isRight)),
    slowest: seconds(Math.max(0, ...answers.filter(({ until }) => until > from).map(({ at, until }) => until - at))),
    recovered: isCalm() ? seconds(lastWrong() - ended) : undefined,
    liveAfter: isLive() ? seconds((heard.find((at) => at > ended) ?? ended) - ended) : undefined,
  }
}

const seconds = (milliseconds: number) => milliseconds / 1000

function byStatus(answers: Answer[]) {
  const counts = new Map<number, number>()
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1)
  return counts
}
