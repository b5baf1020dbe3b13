import { existsSync } from 'node:fs'

const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The installed browser, if there is one. The first has no windows of its own, which take half of the time to draw. */
export const headlessPath = ['/usr/bin/chromium-headless-shell', ...browsers].find((path) => existsSync(path))

export const chromiumSwitches = ['--disable-gpu', '--disable-quic']
