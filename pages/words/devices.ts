import Bowser from 'bowser'
import { t } from './t.ts'

/** The device in words that people know. */
export function readDevice(userAgent: string | null) {
  if (!userAgent) return { name: t('Unknown device'), handheld: false }

  const { browser, os, platform } = Bowser.parse(userAgent)
  const handheld = platform.type === 'mobile' || platform.type === 'tablet'
  return { name: nameOf(browser.name, os.name), handheld }
}

function nameOf(browser: string | undefined, system: string | undefined) {
  if (browser && system) return t('{browser} on {system}', { browser, system })
  return browser ?? system ?? t('Unknown device')
}
