import { existsSync } from 'node:fs'

const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const installed = (candidates: string[]) => candidates.find((path) => existsSync(path))

/** The installed browser, if there is one. */
export const chromiumPath = installed(browsers)

/** The same engine without windows of its own, which draw and take half of the processor's time, or the browser. */
export const headlessPath = installed(['/usr/bin/chromium-headless-shell', ...browsers])

export const chromiumSwitches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
