import fp from 'fastify-plugin'

export default fp(
  async (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      if (isSupported(request.headers['user-agent'])) done()
      else reply.sendError(406)
    })
  },
  { name: 'browser-check', dependencies: ['errors'] },
)

const crawler = /bot|crawl|spider|slurp|lighthouse|https?:\/\//i
const internetExplorer = /\bMSIE |\bTrident\//
const unversionedBrowsers =
  /\b(Edge|Vivaldi|Iron|MicroMessenger|PaleMoon|SeaMonkey|iTunes)\/|\b(BB10|BlackBerry|PlayBook|PlayStation)\b/

/** Parsers such as bowser take players and forks for their engine. This accepts what it is not sure about. */
export function isSupported(userAgent = '') {
  const agent = userAgent.slice(0, 1024).replaceAll('"', '')
  if (crawler.test(agent)) return true
  if (internetExplorer.test(agent)) return false
  if (unversionedBrowsers.test(agent)) return true
  return (
    atLeast([106], operaVersion(agent)) ??
    atLeast([120], chromeVersion(agent)) ??
    atLeast([121], versionOf('Firefox', agent)) ??
    atLeast([17, 2], safariVersion(agent)) ??
    true
  )
}

const operaVersion = (agent: string) => versionOf('OPR', agent) ?? versionOf('Opera', agent)

// A browser names its system in parentheses. Other tools may not.
const chromeVersion = (agent: string) =>
  agent.includes('(') ? (versionOf('CriOS', agent) ?? versionOf('Chrome', agent)) : undefined

function safariVersion(agent: string) {
  const build = versionOf('AppleWebKit', agent)
  if (build === undefined || agent.includes('Android')) return undefined
  const ofSystem = /\bCPU (?:iPhone )?OS ([\d_]+) like Mac OS X/.exec(agent)?.[1]
  return versionOf('Version', agent) ?? ofSystem?.replaceAll('_', '.') ?? beforeVersions(agent, build)
}

/** Safari did not send a version before its third, and its web views did not for longer. */
const beforeVersions = (agent: string, build: string) =>
  agent.includes('(Macintosh;') && Number.parseInt(build, 10) < 535 ? '0' : undefined

const products = ['OPR', 'Opera', 'CriOS', 'Chrome', 'Firefox', 'AppleWebKit', 'Version'] as const
const versions = new Map(products.map((product) => [product, new RegExp(`(?:^|\\s)${product}/([^\\s,;()]*)`)]))

const versionOf = (product: (typeof products)[number], agent: string) => versions.get(product)?.exec(agent)?.[1]

/** Undefined if there is no version to compare. A version that is not a number counts as too old. */
function atLeast(minimum: number[], version: string | undefined) {
  if (!version) return undefined
  if (!/^\d+(\.|$)/.test(version)) return false
  const parts = version.match(/\d+|[a-z][\w-]*$/gi) ?? []
  for (let i = 0; i < Math.max(parts.length, minimum.length); i++) {
    const part = Number(parts[i] ?? 0)
    const minimumPart = minimum[i] ?? 0
    // A pre-release such as 121.0b9 yields NaN and therefore sorts before the release.
    if (part !== minimumPart) return part > minimumPart
  }
  return true
}
