import type { FastifyRequest } from 'fastify'
import { type Text, text } from '../../plugins/languages/index.ts'
import { typesWhere } from '../activity/activities.ts'

export const everyType = '*'
export const testType = 'test'

/** The activities of a workspace, those of options and of the product too. What ends it can be sent to nobody. */
export const workspaceTypes = () =>
  typesWhere((kind) => kind === 'account' || kind === 'members').filter((type) => type !== 'account_deleted')

const labels: Record<string, Text> = {
  account_created: text('The workspace was created'),
  account_renamed: text('The workspace was renamed'),
  member_invited: text('Somebody was invited'),
  invitation_revoked: text('An invitation was revoked'),
  invitation_declined: text('An invitation was declined'),
  member_joined: text('Somebody joined'),
  role_changed: text('A role was changed'),
  member_removed: text('A member was removed'),
  member_left: text('A member left'),
  webhook_added: text('A webhook was added'),
  webhook_changed: text('A webhook was changed'),
  webhook_removed: text('A webhook was removed'),
  webhook_secret_rolled: text('The secret of a webhook was rolled'),
  webhook_enabled: text('A webhook was enabled'),
  webhook_disabled: text('A webhook was disabled'),
}

export const presentTypes = (request: FastifyRequest) =>
  workspaceTypes().map((name) => ({ name, label: request.translate(labels[name] ?? inWords(name)) }))

/** Of options and products, by their name: `project_created` is Project created. */
const inWords = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`
