import { AsyncLocalStorage, type AsyncResource, executionAsyncResource } from 'node:async_hooks'

// Tells tap in which test something was thrown that nobody catches, in place of the package `async-hook-domain`. That is
// called for the beginning and the end of every promise, which took a tenth of the time of all tests.

type OnError = (error: unknown, origin: string) => void

const current = new AsyncLocalStorage<Domain>()
let outermost: Domain | undefined

export class Domain {
  readonly onerror: OnError
  readonly parent: Domain | undefined = current.getStore() ?? outermost
  isOver = false

  constructor(onerror: OnError) {
    this.onerror = onerror
    outermost ??= this
    // tap makes this scope before the domain, and runs in it what belongs to the test.
    const scope = executionAsyncResource() as Partial<AsyncResource>
    const { runInAsyncScope } = scope
    if (runInAsyncScope) {
      scope.runInAsyncScope = (work, self, ...given) =>
        Reflect.apply(runInAsyncScope, scope, [() => current.run(this, () => Reflect.apply(work, self, given))])
    }
  }

  destroy() {
    this.isOver = true
  }

  /** The test that something happens in, or the one around it after its end. */
  static get alive() {
    let domain = current.getStore() ?? outermost
    while (domain?.isOver) domain = domain.parent
    return domain
  }
}

process.on('uncaughtException', (error, origin) => {
  const domain = Domain.alive
  if (!domain) throw error
  domain.onerror(error, origin)
})
