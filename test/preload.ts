import { registerHooks } from 'node:module'
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import '../server/resolution.js'

// Loaded first in every test file, before tap's own loader. That would read each loaded file again for a coverage that
// nobody asks for, which takes a fifth of the time to start, and would load itself into the processes of the tests.
process.env._TAPJS_PROCESSINFO_EXCLUDE_ = '/./'
// It turns them on. Node puts spaces in place of types, so those of packages are all that it would read.
process.setSourceMapsEnabled(false)
delete process.env.NODE_OPTIONS
// `localhost` may have two addresses, of which one listens. A busy process would give that up after a quarter of a
// second in which it looked after nothing.
setDefaultAutoSelectFamilyAttemptTimeout(60_000)

const domain = import.meta.resolve('./domain.ts')
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'async-hook-domain' ? domain : specifier, context),
})
