import root, { type Test } from 'tap'

// In place of the package `async-hook-domain`, which tells tap in which test something was thrown that nobody catches:
// it is called for the beginning and the end of every promise. The tests of a process run one after the other, so it is
// the innermost of those that run.

export class Domain {
  destroy() {}
}

function innermost(test: Test): Test {
  const [running] = test.activeSubtests
  return running ? innermost(running as Test) : test
}

process.on('uncaughtException', (error) => innermost(root).threw(error))
