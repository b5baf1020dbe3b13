import type { FastifyRequest } from 'fastify'
import { clientOf } from '../../plugins/http/client.ts'
import type { Visitor } from './sessions.ts'

export const visitorOf = (request: FastifyRequest): Visitor => ({ ...clientOf(request), device: request.device() })
