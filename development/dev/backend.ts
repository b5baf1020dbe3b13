import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Order } from './child.ts'
import type { Listening } from './hot.ts'
import type { Answer, Question } from './renderer.ts'

export type Started = { port: number } | { failure: string }
export type Backend = ReturnType<typeof createBackend>

type Options = {
  root: string
  environment: NodeJS.ProcessEnv
  answer: (question: Question) => Promise<Answer>
  /** Called when a server that ran, or was starting, ended by itself. */
  onFailure: () => void
}

const graceMs = 4_000 // for requests in flight
const maxOutput = 8_000 // characters of what it wrote last

// What the next server has loaded before it knows what changed.
const loadedAhead = ['node_modules/.package-lock.json', 'server/preload.ts', 'development/dev/child.ts']

type Run = { child: ChildProcess; started: PromiseWithResolvers<Started>; output: string }

/**
 * The server as a child process: a new one starts at once, while the one before finishes its requests. The one after it
 * waits with its packages loaded, which is a third of a start.
 */
export function createBackend({ root, environment, answer, onFailure }: Options) {
  let current: Run | undefined
  let next: { run: Run; stamp: string } | undefined
  let packages: string[] = []
  const ending = new Set<Promise<void>>()

  function launch() {
    // A session of its own, so that Ctrl-C reaches only this process, which stops it. It ends with the channel, too.
    const child = spawn(process.execPath, ['development/dev/child.ts', '--hot'], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      env: environment,
    })
    const run: Run = { child, started: Promise.withResolvers(), output: '' }
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      process.stderr.write(text)
      run.output = (run.output + text).slice(-maxOutput)
    })
    child.on('message', (message: Question | Listening) => {
      if ('port' in message) {
        packages = message.packages
        run.started.resolve(message)
      } else answer(message).then((result) => child.connected && child.send(result, () => {}))
    })
    child.once('close', (code, signal) => {
      const reason = run.output || `The server ended with ${signal ?? `exit code ${code}`}`
      run.started.resolve({ failure: reason })
      if (current !== run) return
      run.started = Promise.withResolvers()
      run.started.resolve({ failure: reason })
      onFailure()
    })
    return run
  }

  function order({ child }: Run, what: Order) {
    if (child.connected) child.send(what, () => {})
  }

  const stamp = () => loadedAhead.map((file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs).join()

  function launchNext() {
    next = { run: launch(), stamp: stamp() }
    order(next.run, { packages })
  }

  function takeNext() {
    const taken = next
    next = undefined
    if (taken?.run.child.connected && taken.stamp === stamp()) return taken.run
    if (taken) stopRun(taken.run)
    return launch()
  }

  async function end({ child }: Run) {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await Promise.race([exit, sleep(graceMs, undefined, { ref: false })])
    child.kill('SIGKILL')
    await exit
  }

  function stopRun(run: Run) {
    const ended = end(run).finally(() => ending.delete(ended))
    ending.add(ended)
  }

  return {
    restart() {
      const before = current
      const run = takeNext()
      current = run
      order(run, 'serve')
      if (before) stopRun(before)
      run.started.promise.then(() => run === current && launchNext())
    },
    /** Waits until the newest server listens, or fails. */
    async started(): Promise<Started> {
      for (;;) {
        const run = current
        const started = (await run?.started.promise) ?? { failure: 'The server has not been started' }
        if (run === current) return started
      }
    },
    lastLine: () => current?.output.trim().split('\n').at(-1) ?? '',
    async stop() {
      for (const run of [current, next?.run]) if (run) stopRun(run)
      current = next = undefined
      await Promise.all(ending)
    },
  }
}
