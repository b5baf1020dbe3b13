import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { mailDestination } from '../plugins/mail/index.ts'
import type { Config } from '../server/config.ts'

const folder = fileURLToPath(new URL('../.data/inbox/', import.meta.url))

type StandIn = { config: Partial<Config>; register(app: FastifyInstance): unknown }
type Start = (loaded: Config) => Promise<StandIn | undefined> | StandIn | undefined

/** Each for something that isn't there: what names it in the configuration, and its pages. Options have theirs here. */
export async function startStandIns(loaded: Config) {
  const files = globSync('*/stand-in.ts', { cwd: import.meta.dirname })
  const found: { startStandIn: Start }[] = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ `./${file}`)),
  )
  let config = loaded
  const started: StandIn[] = []
  for (const start of [standInForMail, ...found.map(({ startStandIn }) => startStandIn)]) {
    const standIn = await start(config)
    if (!standIn) continue
    config = { ...config, ...standIn.config }
    started.push(standIn)
  }
  async function register(app: FastifyInstance) {
    for (const standIn of started) await standIn.register(app)
  }
  return { config, register }
}

async function standInForMail(loaded: Config) {
  if (!usesInbox(loaded)) return undefined
  const inbox = await (await import('./inbox/index.ts')).startInbox(folder)
  return {
    config: { mail: { ...loaded.mail, ...inbox.server } },
    async register(app: FastifyInstance) {
      app.log.warn(`MAILER_HOST is not set: mails are not sent, but shown at ${loaded.origin}/dev/inbox`)
      await app.register(inbox.pages)
      app.addHook('onClose', inbox.stop)
    },
  }
}

/** Whether mails go to the development inbox instead of a mail server. */
export const usesInbox = ({ environment, mail }: Config) =>
  environment === 'development' && mailDestination(mail) === undefined
