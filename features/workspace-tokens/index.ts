import './activities.ts'
import './rights.ts'
import type { FastifyPluginAsync } from 'fastify'
import { workspaceTokens as table } from '../../drizzle/tables/workspace-tokens.ts'
import { sweepExpired } from '../api/tokens/uses.ts'
import { followMakers, workspaceTokenEnding } from './endings.ts'
import { workspaceTokenKind } from './kind.ts'
import { defineMails } from './mails.ts'
import { workspaceTokenRoutes } from './routes.ts'

/** Tokens with which programs act as a workspace, whoever made them. */
export const workspaceTokens: FastifyPluginAsync<{ isOn: boolean }> = async (app, { isOn }) => {
  // Also while they are off, or what a thief made would work again when they are on.
  app.endings.add(workspaceTokenEnding(app))
  followMakers(app)
  defineMails(app, isOn)
  sweepExpired(app, table)
  if (!isOn) return
  app.registeredOptions.add('workspace-tokens')
  app.tokenKinds.add(workspaceTokenKind(app))
  app.register(workspaceTokenRoutes)
}
