// What `npm test` loads first in every test file.

// Tap would read each loaded file again and parse its source map, in the processes that a test starts as well. That is
// for coverage, and took a fifth of the time to start.
process.env._TAPJS_PROCESSINFO_EXCLUDE_ = '/./'
