import type { FastifyInstance } from 'fastify'
import { type Text, text } from '../../plugins/languages/index.ts'
import { greeting } from '../../plugins/mail/names.ts'
import { changeForOwner, type MakerMailIds, makerForOwner, type OwnerMailIds } from '../accounts/owner-mails.ts'
import { webhookPaths } from './paths.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    /** To one of the owners, as all of these. */
    webhook_added: OwnerMailIds
    webhook_changed: OwnerMailIds
    webhook_removed: OwnerMailIds
    webhook_disabled: OwnerMailIds
    /** `makerId` added it, or gave it its URL, and is no manager any more. */
    webhook_kept: MakerMailIds
  }
}

export type WebhookMail = 'webhook_added' | 'webhook_changed' | 'webhook_removed'

type Change = { place: Text | string; actor: Text | string; host: string; type: string }
type Words = { subject: Text; preheader: Text; paragraphs: Text[]; advice: Text[] }

const checkIt = text('Check that this is right.')
const askThem = text('If this is not right, ask whoever did it, and remove the webhook.')

const wordsOf: Record<WebhookMail | 'webhook_disabled', (change: Change) => Words> = {
  webhook_added: ({ place, actor, host }) => ({
    subject: text('A webhook was added to {place}', { place }),
    preheader: checkIt,
    paragraphs: [
      text('{actor} added a webhook to {place}. What happens there is sent to {host}.', { actor, place, host }),
    ],
    advice: [askThem],
  }),
  webhook_changed: ({ place, actor, host, type }) => ({
    subject: text('A webhook of {place} was changed', { place }),
    preheader: checkIt,
    paragraphs: [
      type === 'webhook_changed'
        ? text('{actor} changed a webhook of {place}. What happens there is sent to {host} now.', {
            actor,
            place,
            host,
          })
        : text('{actor} rolled the secret of the webhook that sends what happens in {place} to {host}.', {
            actor,
            place,
            host,
          }),
    ],
    advice: [askThem],
  }),
  webhook_removed: ({ place, actor, host }) => ({
    subject: text('A webhook of {place} was removed', { place }),
    preheader: checkIt,
    paragraphs: [
      text('{actor} removed a webhook of {place}. What happens there is no longer sent to {host}.', {
        actor,
        place,
        host,
      }),
    ],
    advice: [text('If this is not right, ask whoever did it, and add the webhook again.')],
  }),
  webhook_disabled: ({ place, host }) => ({
    subject: text('A webhook stopped'),
    preheader: text('What happens in the workspace is no longer sent.'),
    paragraphs: [
      text(
        `The webhook of {place} that sends to {host} is disabled: its receiver refuses what we send, or whoever added it
          may not have been the owner of their account.`,
        { place, host },
      ),
    ],
    advice: [text('Look where it leads. If all is well there, enable it. What it missed is not sent.')],
  }),
}

export function defineMails({ db, mail }: FastifyInstance) {
  const action = (slug: string) => ({ label: text('See the webhooks'), url: webhookPaths.webhooks(slug).url })

  for (const name of Object.keys(wordsOf) as (keyof typeof wordsOf)[])
    mail.define(name, {
      async compose(ids) {
        const change = await changeForOwner(db, ids)
        if (!change) return undefined
        const { user, account, activity, place, time } = change
        const actor = change.actor ?? text('Somebody')
        const about = { place, actor, host: String(activity.details.host), type: activity.type }
        const { paragraphs, ...words } = wordsOf[name](about)
        return {
          ...words,
          to: user.email,
          language: user.language,
          paragraphs: [greeting(user.name), ...paragraphs],
          facts: [time],
          action: action(account.slug),
        }
      },
    })

  mail.define('webhook_kept', {
    async compose(ids) {
      const found = await makerForOwner(db, ids)
      if (!found) return undefined
      const { user, account, name, place } = found
      return {
        to: user.email,
        language: user.language,
        subject: text('A webhook that {name} added still sends', { name }),
        preheader: text('Look where it leads, and remove it if nobody needs it.'),
        paragraphs: [
          greeting(user.name),
          text('{name} manages {place} no longer. A webhook that they added, or gave its address, goes on.', {
            name,
            place,
          }),
        ],
        advice: [text('Look where it leads, and remove it if nobody needs it.')],
        action: action(account.slug),
      }
    },
  })
}
