import type { FastifyInstance } from 'fastify'
import type { FirstFactor } from '../auth/first-factors.ts'
import { arrive } from './arrivals.ts'
import { mayPass, type Pass, recordPass } from './passes.ts'
import { singleSignOnWords } from './words.ts'

/** The pass comes with the session, after a second step too. */
export const bySingleSignOn = ({ now }: Pick<FastifyInstance, 'now'>): FirstFactor<Pass> => ({
  id: 'sso',
  words: singleSignOnWords,
  holds: mayPass,
  started: (tx, _user, token, pass) => recordPass(tx, now(), token, pass),
  arrived: arrive,
})
