import Bowser from 'bowser'
import { t } from './t.ts'

export function readDevice(userAgent: string | null) {
  if (!userAgent) return { name: t('Unknown browser'), handheld: false }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const handheld = platform.type === 'mobile' || platform.type === 'tablet'
  const [name, system] = [browser.name, os.name] // empty where Bowser does not know them
  if (name && system) return { name: t('{browser} on {system}', { browser: name, system }), handheld }
  return { name: name || system || t('Unknown browser'), handheld }
}
