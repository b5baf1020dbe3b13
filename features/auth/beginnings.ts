import type { FastifyInstance } from 'fastify'
import { createList, type List } from '../../plugins/composition.ts'

// What options and features of a product add to the beginning of a user.

declare module 'fastify' {
  interface FastifyInstance {
    beginnings: List<Beginning>
  }
}

export type Beginning = {
  /** Whether a new user may go on to this page, where others would be closed to them. */
  leadsTo?(path: string): boolean
}

export const defineBeginnings = (app: FastifyInstance) =>
  app.decorate('beginnings', createList<Beginning>(app, 'beginnings'))

export const isOpenToNewUsers = ({ beginnings }: FastifyInstance, path: string) =>
  [...beginnings].some((each) => each.leadsTo?.(path))
