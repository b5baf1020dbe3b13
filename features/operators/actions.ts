import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type TProperties, Type } from 'typebox'
import type { Tx } from '../../plugins/database/index.ts'
import type { Messages } from '../../plugins/forms/flash.ts'
import { challengeFields, idParam } from '../../plugins/forms/parameters.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import type { Text } from '../../plugins/languages/index.ts'
import { budget, clientKey, defineLimit } from '../../plugins/security/limits/index.ts'
import { tries } from '../../plugins/security/limits/table.ts'
import { lockSession } from '../../plugins/security/session-transaction.ts'
import { lockUserAndConsumeProof, reauthenticate } from '../auth/reauthentication/index.ts'
import { formRoute } from '../forms.ts'
import type { Path } from '../paths.ts'
import { writeLog } from './guard.ts'
import { isOperator } from './operators.ts'
import { operatorPaths } from './paths.ts'
import type { Action } from './props.ts'

/** What operators can do by a form: its route, its line in the log and its answer follow from it. */
export type OperatorAction = {
  /** The address of the form for this id. */
  path(id: number): Path
  log: Action
  /** What the form sends besides what confirms that it is the operator, and what is wrong with it. */
  fields?: TProperties
  check?(request: FastifyRequest): Messages
  /** Returns what the operator is told. Throws NotFound, Refused or Invalid. */
  act(app: FastifyInstance, tx: Tx, id: number, request: FastifyRequest): Promise<Text>
  /** Where it leads, unless to the page of the user or account. */
  leadsTo?: Path
}

declare module '../../plugins/security/limits/table.ts' {
  interface FeatureLimits {
    operator_change: Limit
  }
}

defineLimit('operator_change', tries)

const budgetOfEach = budget('operator_change', {
  by: (request) => `${clientKey(request)} ${request.routeOptions.config.operatorAction}`,
})

/**
 * Each asks for the operator's own proof, and commits only while the session and the proof are valid and the user is an
 * operator.
 */
export function addActions(app: FastifyInstance, target: 'user' | 'account', ...actions: OperatorAction[]) {
  const param = `${target}Id`
  const idIn = ({ params }: FastifyRequest) => Number((params as Record<string, string>)[param])
  const pageOf = (request: FastifyRequest) => operatorPaths[target](idIn(request)).url
  const params = Type.Object({ [param]: Type.String() })

  for (const { path, log: operatorAction, fields, check, act, leadsTo } of actions) {
    const body = Type.Object({ ...fields, ...challengeFields })
    const { schema, config } = formRoute(pageOf, budgetOfEach, { params, body })
    const { url, method } = path(0)
    app.route({
      method: method.toUpperCase(),
      url: url.replace('/0', `/${idParam(param)}`),
      schema,
      config: { ...config, operatorAction },
      async handler(request, reply) {
        const { signedIn } = request
        const proof = await reauthenticate(request, check?.(request))
        const notice = await app.db.transaction(async (tx) => {
          const done = await act(app, tx, idIn(request), request)
          await writeLog(tx, request, operatorAction)
          const operator = await lockUserAndConsumeProof(tx, signedIn.user.id, proof) // last, since accounts are locked before users
          if (!isOperator(operator)) throw new NotFound()
          await lockSession(tx, signedIn.session.token)
          return done
        })
        return reply.notice(notice).redirect(leadsTo?.url ?? pageOf(request))
      },
    })
  }
}
