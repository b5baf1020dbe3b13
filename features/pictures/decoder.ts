import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Unavailable } from '../../plugins/http/errors.ts'
import type { Decoded } from './decoder-process.ts'

export type Limits = {
  /** For the process to start. */
  startTimeoutMs?: number
  /** For one picture. */
  timeoutMs?: number
  /** Until it is a picture's turn. */
  waitMs?: number
  /** After which a process without work ends, and gives its memory back. */
  idleMs?: number
}

/** What an application has. Tests are more patient. */
export const decoderLimits = { startTimeoutMs: 10_000, timeoutMs: 5_000, waitMs: 15_000, idleMs: 60_000 }

type DecoderOptions = Limits & { warn(about: { signal: string | null; code: number | null }, message: string): void }

const maxQueued = 20
const root = new URL('../../', import.meta.url)
const script = fileURLToPath(new URL('decoder-process.ts', import.meta.url))
const readable = ['node_modules/', 'features/pictures/', 'package.json'].map((path) =>
  fileURLToPath(new URL(path, root)),
)

export type Decoder = ReturnType<typeof createDecoder>

/**
 * Decodes pictures one at a time, in a process that is started with the first one and replaced when it dies. A picture
 * that kills it, or takes too long, is unreadable. Each user has at most one picture waiting, so that one user cannot
 * keep the others waiting.
 */
export function createDecoder({ warn, ...limits }: DecoderOptions) {
  const { startTimeoutMs, timeoutMs, waitMs, idleMs } = { ...decoderLimits, ...limits }
  let child: Promise<ChildProcess> | undefined
  let idle: NodeJS.Timeout | undefined
  const waiting = new Set<number>()
  let last: Promise<void> | undefined

  async function work(picture: Buffer): Promise<Decoded> {
    clearTimeout(idle)
    child ??= start()
    const running = await child
    const timeout = setTimeout(() => running.kill('SIGKILL'), timeoutMs)
    const answer = Promise.withResolvers<Decoded>()
    const onExit = () => answer.resolve('unreadable')
    running.once('message', answer.resolve).once('exit', onExit)
    running.send(picture, (error) => error && onExit())
    try {
      return await answer.promise
    } finally {
      clearTimeout(timeout)
      running.off('message', answer.resolve).off('exit', onExit)
      idle = setTimeout(stop, idleMs).unref()
    }
  }

  /** Throws Unavailable if the process does not start: that says nothing about the picture. */
  function start() {
    const limits = ['--permission', '--allow-addons', ...readable.map((path) => `--allow-fs-read=${path}`)]
    const started = spawn(process.execPath, ['--no-warnings', '--max-old-space-size=64', ...limits, script], {
      env: {}, // that of the server has secrets
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const ready = Promise.withResolvers<ChildProcess>()
    const starting = ready.promise.finally(() => clearTimeout(timeout))
    const timeout = setTimeout(() => started.kill('SIGKILL'), startTimeoutMs)
    started.once('message', () => ready.resolve(started))
    const onEnd = (code: number | null, signal: string | null) => {
      ready.reject(new Unavailable('the picture decoder does not start'))
      if (child !== starting) return
      child = undefined
      warn({ code, signal }, 'the picture decoder ended')
    }
    started.on('error', () => onEnd(null, null)).once('exit', onEnd)
    // If the container runs out of memory, the kernel ends this process and not the server.
    writeFile(`/proc/${started.pid}/oom_score_adj`, '1000').catch(() => {})
    return starting
  }

  async function stop() {
    const running = child
    child = undefined
    const started = await running?.catch(() => undefined)
    started?.kill('SIGKILL')
  }

  /** Throws Unavailable if the queue is full, for this user or for everyone. Call it before reading an upload. */
  function rejectIfQueueFull(userId: number) {
    if (waiting.size >= maxQueued || waiting.has(userId)) throw new Unavailable('too many pictures wait to be decoded')
  }

  /** A square of 256 pixels as WebP, or what is wrong with the picture. Throws Unavailable, also if the client left. */
  async function decode(picture: Buffer, userId: number, client?: AbortSignal) {
    rejectIfQueueFull(userId)
    const before = last
    const turn = Promise.withResolvers<void>()
    const queue: Promise<void> = Promise.all([before, turn.promise]).then(() => {
      if (last === queue) last = undefined
    })
    last = queue
    try {
      if (before) await waitFor(before, userId, client)
      return await work(picture)
    } finally {
      turn.resolve()
    }
  }

  async function waitFor(before: Promise<void>, userId: number, client?: AbortSignal) {
    waiting.add(userId)
    const signal = client && { signal: client }
    const isLate = sleep(waitMs, false, { ref: false, ...signal }).catch(() => false)
    const isMyTurn = await Promise.race([before.then(() => true), isLate])
    waiting.delete(userId)
    if (client?.aborted) throw new Unavailable('the client left while its picture waited')
    if (!isMyTurn) throw new Unavailable('pictures take too long to decode')
  }

  return { decode, rejectIfQueueFull, stop }
}
