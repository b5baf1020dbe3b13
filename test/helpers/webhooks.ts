import { setTimeout as sleep } from 'node:timers/promises'
import { and, desc, eq } from 'drizzle-orm'
import type { Test } from 'tap'
import { type Role, users } from '../../drizzle/schema.ts'
import { webhookDeliveries } from '../../drizzle/tables/webhooks.ts'
import { presentDelivery } from '../../features/webhooks/props.ts'
import { listen, startApp } from './app.ts'
import { challenge, startAcme } from './people.ts'
import { startReceiver } from './receiver.ts'

type Given = Parameters<typeof startApp>[2]

/** The application, which sends, and a receiver. */
export async function startWebhooks(t: Test, environment: Record<string, string> = {}, given: Given = {}) {
  const receiver = await startReceiver(t)
  const started = await startApp(t, { WEBHOOK_PRIVATE_TARGETS: 'allow', ...environment }, given)
  const { app, db } = started
  await listen(app)
  let count = 0

  /** Acme with a verified owner and a webhook at a path of its own. */
  async function acmeWith({ types = ['*'], to = receiver.url, on = startAcme(app) }: Hook = {}) {
    const acme = await on
    const { browser, user } = acme.owner
    await db.update(users).set({ verified: true, verifiedAt: app.now() }).where(eq(users.id, user.id))
    const hook = `/hook-${++count}`
    const url = `${acme.path}/webhooks`
    const page = await browser.submit('POST', url, { url: to + hook, types, ...challenge })
    if (page.flash?.notice !== 'Webhook added') throw new Error(`not added: ${JSON.stringify(page)}`)
    const id: number = page.props.webhooks.at(-1).id
    const item = `${url}/${id}`
    const visit = async () => (await browser.visit(item)).props
    /** Waits until the newest delivery of this type is so. */
    async function untilDelivery(type: string, wanted: Record<string, unknown>) {
      const ofType = and(eq(webhookDeliveries.webhookId, id), eq(webhookDeliveries.type, type))
      for (;;) {
        const [row] = await db
          .select()
          .from(webhookDeliveries)
          .where(ofType)
          .orderBy(desc(webhookDeliveries.id))
          .limit(1)
        const newest = row && presentDelivery(row)
        if (newest && Object.entries(wanted).every(([key, value]) => newest[key as 'id'] === value)) return newest
        await sleep(20)
      }
    }
    const rename = (name: string) => browser.submit('PATCH', `${acme.path}/settings`, { name })
    const test = () => browser.submit('POST', `${item}/test`)
    const change = (body: object) => browser.submit('PATCH', item, body)
    const joinVerified = async (role: Role) => {
      const member = await acme.join(role)
      await db.update(users).set({ verified: true }).where(eq(users.id, member.user.id))
      return member
    }
    const secret = String(page.flash.secret)
    return { ...acme, url, hook, item, id, secret, visit, untilDelivery, rename, test, change, joinVerified }
  }
  return { ...started, receiver, acmeWith }
}

type Hook = { types?: string[]; to?: string; on?: ReturnType<typeof startAcme> }
