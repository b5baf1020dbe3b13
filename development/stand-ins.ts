import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { mailDestination } from '../plugins/mail/index.ts'
import type { Config } from '../server/config.ts'
import { developmentProvider } from './provider/index.ts'
import { startCompany } from './single-sign-on/index.ts'

const folder = fileURLToPath(new URL('../.data/inbox/', import.meta.url))

/** What stands in for a mail server and providers: the configuration that names them, and their pages. */
export async function startStandIns(loaded: Config) {
  const inbox = usesInbox(loaded) ? await (await import('./inbox/index.ts')).startInbox(folder) : undefined
  const { origin, singleSignOn } = loaded
  const provider = usesProvider(loaded) ? developmentProvider(origin) : undefined
  const company = provider && singleSignOn ? await startCompany(origin, singleSignOn) : undefined
  const config = {
    ...loaded,
    ...(inbox && { mail: { ...loaded.mail, ...inbox.server } }),
    ...(provider && { providers: [...loaded.providers, provider.config] }),
    ...(company && { singleSignOn: company.settings }),
  }

  async function register(app: FastifyInstance) {
    if (inbox) {
      app.log.warn(`MAILER_HOST is not set: mails are not sent, but shown at ${config.origin}/dev/inbox`)
      await app.register(inbox.pages)
      app.addHook('onClose', inbox.stop)
    }
    if (provider) await app.register(provider.pages)
    await company?.register(app)
  }
  return { config, register }
}

/** Whether mails go to the development inbox instead of a mail server. */
export const usesInbox = ({ environment, mail }: Config) =>
  environment === 'development' && mailDestination(mail) === undefined

/** Providers to sign in with that need no registration. Several processes would each have their own keys. */
const usesProvider = ({ environment, origin, processes }: Config) =>
  environment === 'development' && processes === 1 && /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(origin)
