import Bowser from 'bowser'

/** The device in words that people know. */
export function readDevice(userAgent: string | null) {
  if (!userAgent) return { name: 'Unknown device', handheld: false }

  const { browser, os, platform } = Bowser.parse(userAgent)
  const handheld = platform.type === 'mobile' || platform.type === 'tablet'
  return { name: [browser.name, os.name].filter(Boolean).join(' on ') || 'Unknown device', handheld }
}
