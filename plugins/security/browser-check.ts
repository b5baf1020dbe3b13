import fp from 'fastify-plugin'

/** Refuses old browsers with the 406 page. */
export default fp(
  async (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      if (isSupported(request.headers['user-agent'])) done()
      else reply.sendError(406)
    })
  },
  { name: 'browser-check', dependencies: ['errors'] },
)

const longest = 1024
const decisions = new Map<string, boolean>()

/**
 * Whether a browser is recent enough. Parsers such as bowser or ua-parser-js name the product that one sees; this asks which of the four engines is at
 * work and passes everything that it does not know for certain, so it reads the few tokens that tell.
 */
export function isSupported(userAgent = ''): boolean {
  const known = decisions.get(userAgent)
  if (known !== undefined) return known
  const decision = judge(userAgent.slice(0, longest).replaceAll('"', ''))
  // anybody may send a new name with each request
  if (decisions.size === 1000) decisions.clear()
  if (userAgent.length <= longest) decisions.set(userAgent, decision)
  return decision
}

const crawler = /bot|crawl|spider|slurp|lighthouse|https?:\/\//i
const internetExplorer = /\bMSIE |\bTrident\//
const ofTheirOwn =
  /\b(Edge|Vivaldi|Iron|MicroMessenger|PaleMoon|SeaMonkey|iTunes)\/|\b(BB10|BlackBerry|PlayBook|PlayStation)\b/

function judge(agent: string) {
  if (crawler.test(agent)) return true
  if (internetExplorer.test(agent)) return false
  if (ofTheirOwn.test(agent)) return true
  return (
    atLeast([106], operaVersion(agent)) ??
    atLeast([120], chromeVersion(agent)) ??
    atLeast([121], versionOf('Firefox', agent)) ??
    atLeast([17, 2], safariVersion(agent)) ??
    true
  )
}

const operaVersion = (agent: string) =>
  versionOf('OPR', agent) ??
  (agent.startsWith('Opera/') ? (versionOf('Version', agent) ?? versionOf('Opera', agent)) : undefined)

// a browser names its system in parentheses, a tool may not
const chromeVersion = (agent: string) =>
  agent.includes('(') ? (versionOf('CriOS', agent) ?? versionOf('Chrome', agent)) : undefined

function safariVersion(agent: string) {
  const build = versionOf('AppleWebKit', agent)
  if (build === undefined || agent.includes('Android')) return undefined
  const ofSystem = /\bCPU (?:iPhone )?OS ([\d_]+) like Mac OS X/.exec(agent)?.[1]
  return versionOf('Version', agent) ?? ofSystem?.replaceAll('_', '.') ?? beforeVersions(agent, build)
}

/** Safari told no version before its third, and its web views for longer. */
const beforeVersions = (agent: string, build: string) =>
  agent.includes('(Macintosh;') && Number.parseInt(build, 10) < 535 ? '0' : undefined

const versionOf = (product: keyof typeof products, agent: string) => products[product].exec(agent)?.[1]

const product = (name: string) => new RegExp(`(?:^|\\s)${name}/([^\\s,;()]*)`)
const products = {
  OPR: product('OPR'),
  Opera: product('Opera'),
  CriOS: product('CriOS'),
  Chrome: product('Chrome'),
  Firefox: product('Firefox'),
  AppleWebKit: product('AppleWebKit'),
  Version: product('Version'),
}

/** Undefined when there is no version to judge by; one that is not a number is too old. */
function atLeast(minimum: number[], version: string | undefined) {
  if (!version) return undefined
  if (!/^\d+(\.|$)/.test(version)) return false
  const parts = version.match(/\d+|[a-z][\w-]*$/gi) ?? []
  for (let i = 0; i < Math.max(parts.length, minimum.length); i++) {
    const part = Number(parts[i] ?? 0)
    const wanted = minimum[i] ?? 0
    if (part !== wanted) return part > wanted // a word, as of 121.0b9, is no number and so comes before the release
  }
  return true
}
