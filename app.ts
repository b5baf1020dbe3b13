import type { Writable } from 'node:stream'
import compress from '@fastify/compress'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { accounts } from './features/accounts/index.ts'
import { activity } from './features/activity/index.ts'
import { api, apiTokens, defineApi } from './features/api/index.ts'
import { auth } from './features/auth/index.ts'
import { health } from './features/health/index.ts'
import { wellKnown } from './features/health/well-known.ts'
import { identity } from './features/identity/index.ts'
import { invitationLink } from './features/invitation-link/index.ts'
import { live as liveUpdates } from './features/live/index.ts'
import { codesByMail } from './features/mail-codes/index.ts'
import { operators } from './features/operators/index.ts'
import { passkeys } from './features/passkeys/index.ts'
import { isForGuests, paths } from './features/paths.ts'
import { pictures, servePictures } from './features/pictures/index.ts'
import { providers } from './features/providers/index.ts'
import { secondFactor } from './features/second-factor/index.ts'
import { settings } from './features/settings/index.ts'
import { languages as languageChoice } from './features/settings/language.ts'
import { singleSignOn } from './features/single-sign-on/index.ts'
import { webhooks } from './features/webhooks/index.ts'
import { workspaceTokens } from './features/workspace-tokens/index.ts'
import { defineLists, type List } from './plugins/composition.ts'
import database, { type Deadlines, deadlines } from './plugins/database/index.ts'
import flash from './plugins/forms/flash.ts'
import forms from './plugins/forms/index.ts'
import precognition from './plugins/forms/precognition.ts'
import bodies from './plugins/http/bodies.ts'
import cookies from './plugins/http/cookies.ts'
import earlyAnswers from './plugins/http/early-answers.ts'
import errors from './plugins/http/errors.ts'
import headers from './plugins/http/headers.ts'
import logging from './plugins/http/logging.ts'
import overload from './plugins/http/overload.ts'
import { clientSignal } from './plugins/http/request.ts'
import staticFiles from './plugins/http/static.ts'
import inertia from './plugins/inertia/index.ts'
import jobs from './plugins/jobs/index.ts'
import languages, { hasOtherLanguage } from './plugins/languages/index.ts'
import live from './plugins/live/index.ts'
import mail, { transportTo } from './plugins/mail/index.ts'
import metrics from './plugins/metrics.ts'
import browserCheck from './plugins/security/browser-check.ts'
import commonPasswords from './plugins/security/common-passwords.ts'
import csrf from './plugins/security/csrf.ts'
import hidden from './plugins/security/hidden.ts'
import { keyRing } from './plugins/security/keys.ts'
import limits from './plugins/security/limits/index.ts'
import securityLog from './plugins/security/log.ts'
import once from './plugins/security/once.ts'
import sealing from './plugins/security/sealing.ts'
import session from './plugins/security/session.ts'
import { type SessionPolicy, sessionPolicy } from './plugins/security/session-policy.ts'
import { isPartOfAnother } from './plugins/security/session-transaction.ts'
import tokens from './plugins/security/tokens.ts'
import sweeper from './plugins/sweeper.ts'
import type { Config } from './server/config.ts'
import { createFastify } from './server/fastify.ts'
import { builtFrontend, type Frontend } from './server/frontend.ts'

declare module 'fastify' {
  /** What features know of the configuration. Options add theirs. */
  interface Site extends Pick<Config, 'origin' | 'appName' | 'invitationOnly' | 'demoEmail'> {}
  interface FastifyInstance {
    site: Site
    sessionPolicy: SessionPolicy
    /** The names of the options that are on, for pages. */
    registeredOptions: List<string>
  }
}

/** What tests replace. `features` are examples. */
type Replacements = {
  now?: () => Date
  logTo?: Writable
  frontend?: typeof builtFrontend
  liveIntervalMs?: number
  maxEventLoopDelayMs?: number
  deadlines?: Partial<Deadlines>
  fetch?: typeof globalThis.fetch
  features?: FastifyPluginAsync[]
}

export async function buildApp(config: Config, replacements: Replacements = {}) {
  const {
    now = () => new Date(),
    frontend = builtFrontend,
    liveIntervalMs = 15_000,
    logTo,
    maxEventLoopDelayMs = 1_000,
    deadlines: overrides,
  } = replacements
  const requestTimeout = { ...deadlines, ...overrides }.request * 1000
  const app = createFastify(config, { now, requestTimeout, logTo })

  for (const warning of config.warnings) app.log.warn(warning)
  const keys = keyRing(config.secretKeyBase, config.previousSecretKeyBase)
  await app.register(languages, { tags: config.languages })
  const { connect = [], ...pages } = await frontend(app, config)
  await app.register(headers, { secure: config.secure, sources: config.contentSources, connect })
  await app.register(logging, {
    userId: ({ auth, actsFor }) => auth?.user.id ?? actsFor,
    hops: config.environment === 'development' ? 0 : config.proxies,
  })
  // Compressed bodies of requests are not inflated: a small one could expand to gigabytes.
  if (config.compression) await app.register(compress, { encodings: ['br', 'gzip'], globalDecompression: false })
  await app.register(errors, { support: config.links.support })
  await app.register(earlyAnswers)
  await app.register(staticFiles)
  // What options fill for the core: here, so that jobs, commands and the API know it, too.
  defineLists(app, 'registeredOptions', 'firstFactors', 'secondSteps', 'factorRules', 'providers', 'signInMethods')
  defineLists(app, 'reauthenticationProofs', 'strongProofs', 'requirements', 'beginnings', 'endings', 'commandLogs')
  defineLists(app, 'accountSettings', 'firstSteps')
  defineApi(app)
  app.decorate('sessionPolicy', sessionPolicy(config.sessions, now))
  await app.register(database, { ...config.database, deadlines: overrides })
  const { appName, links, origin, invitationOnly, demoEmail } = config
  const { from } = config.mail
  await app.register(mail, { transport: transportTo(config.mail, app.log), from, appName, links, origin })
  await app.register(jobs, config.queue)
  await app.register(sweeper)
  await app.register(live, { intervalMs: liveIntervalMs })
  await app.register(tokens, { keys: keys('tokens') })
  await app.register(commonPasswords, { refuse: config.commonPasswords === 'refuse', appName: config.appName })
  await app.register(sealing, { keys: keys('sealing') })
  app.decorate('site', { origin, appName, invitationOnly, demoEmail })
  await app.register(health)
  await app.register(metrics, { enabled: config.metricsPort !== undefined })
  await app.register(wellKnown)
  await app.register(servePictures)
  await app.register(securityLog)
  await app.register(async (served) => {
    await served.register(overload, { maxDelayMs: maxEventLoopDelayMs })
    await served.register(site, { ...replacements, config, keys, pages })
    await served.register(api)
  })
  return app
}

type Visited = Pick<Replacements, 'fetch' | 'features'> & {
  config: Config
  keys: ReturnType<typeof keyRing>
  pages: Omit<Frontend, 'connect'>
}

/** Everything that people visit with a browser. */
async function site(app: FastifyInstance, options: Visited) {
  const { config, keys, pages, features = [] } = options
  const { origin, secure, production } = config

  await app.register(bodies)
  await app.register(cookies, { keys: keys('cookies'), secure })
  await app.register(hidden)
  await app.register(browserCheck)
  await app.register(csrf, { keys: keys('csrf'), origin, loopbackNamesAreEqual: !production })
  await app.register(precognition)
  await app.register(flash, { keys: keys('flash') })
  await app.register(inertia, {
    origin,
    encryptHistory: production,
    contextOf: ({ language }) => ({ tag: language.tag, options: [...app.registeredOptions] }),
    clientSignal,
    isOutdated: (request) => hasOtherLanguage(request) || isPartOfAnother(request),
    flashStore: app.flashStore,
    ...pages,
  })
  await app.register(session, { signInPath: paths.signInPage().url, homePath: paths.home().url, origin })
  await app.register(limits)
  await app.register(once)
  await app.register(forms, { origin, isForGuests })

  await app.register(activity, { days: config.activityDays })
  await app.register(auth)
  await app.register(identity)
  await app.register(settings)
  await app.register(languageChoice)
  await app.register(accounts)
  await app.register(secondFactor)
  await app.register(passkeys, { keys: keys('passkeys') })
  await app.register(providers, { providers: config.providers, fetch: options.fetch })
  await app.register(singleSignOn, { settings: config.singleSignOn })
  if (config.mailCodes) await app.register(codesByMail)
  await app.register(apiTokens)
  await app.register(invitationLink)
  await app.register(webhooks, { settings: config.webhooks })
  await app.register(workspaceTokens, { isOn: config.workspaceTokens })
  await app.register(pictures)
  await app.register(liveUpdates)
  await app.register(operators, { days: config.activityDays })
  for (const feature of features) await app.register(feature)
}
