import type { FastifyInstance } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { type Change, defineOwnerMails, type MakerMailIds, type OwnerMailIds } from '../accounts/owner-mails.ts'
import { webhookPaths } from './paths.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    /** To one of the owners, as all of these. */
    webhook_added: OwnerMailIds
    webhook_changed: OwnerMailIds
    webhook_removed: OwnerMailIds
    webhook_disabled: OwnerMailIds
    /** Whoever added it, or gave it its URL, is no manager any more. */
    webhook_kept: MakerMailIds
  }
}

export type WebhookMail = 'webhook_added' | 'webhook_changed' | 'webhook_removed'

const lookWhere = text('Look where it leads, and remove it if nobody needs it.')

const partsOf = ({ actor, place, activity }: Change) => ({
  actor: actor ?? text('Somebody'),
  place,
  host: String(activity.details.host),
})

const advice = [text('If this is not right, ask whoever did it, and remove the webhook.')]

const changes = {
  webhook_added: (change: Change) => ({
    subject: text('A webhook was added to {place}', { place: change.place }),
    paragraph: text('{actor} added a webhook to {place}. What happens there is sent to {host}.', partsOf(change)),
    advice,
  }),
  webhook_changed: (change: Change) => ({
    subject: text('A webhook of {place} was changed', { place: change.place }),
    paragraph:
      change.activity.type === 'webhook_changed'
        ? text('{actor} changed a webhook of {place}. What happens there is sent to {host} now.', partsOf(change))
        : text(
            '{actor} rolled the secret of the webhook that sends what happens in {place} to {host}.',
            partsOf(change),
          ),
    advice,
  }),
  webhook_removed: (change: Change) => ({
    subject: text('A webhook of {place} was removed', { place: change.place }),
    paragraph: text(
      '{actor} removed a webhook of {place}. What happens there is no longer sent to {host}.',
      partsOf(change),
    ),
    advice: [text('If this is not right, ask whoever did it, and add the webhook again.')],
  }),
  webhook_disabled: (change: Change) => ({
    subject: text('A webhook stopped'),
    preheader: text('What happens in the workspace is no longer sent.'),
    paragraph: text(
      `The webhook of {place} that sends to {host} is disabled: its receiver refuses what we send, or whoever added it
          may not have been the owner of their account.`,
      partsOf(change),
    ),
    advice: [text('Look where it leads. If all is well there, enable it. What it missed is not sent.')],
  }),
  webhook_kept: ({ name, place }: Change) => ({
    subject: text('A webhook that {name} added still sends', { name }),
    preheader: lookWhere,
    paragraph: text('{name} manages {place} no longer. A webhook that they added, or gave its address, goes on.', {
      name,
      place,
    }),
    advice: [lookWhere],
  }),
}

export function defineMails(app: FastifyInstance, isOn: boolean) {
  const action = (slug: string) =>
    isOn ? { label: text('See the webhooks'), url: webhookPaths.webhooks(slug).url } : undefined

  defineOwnerMails(app, { changes, action })
}
