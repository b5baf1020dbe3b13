import { isStorable } from '../database/index.ts'
import { parseJson } from '../http/bodies.ts'
import type { Channel, Params } from './channel.ts'

/** What an identifier names. */
export type Target = { identifier: string; channel: Channel; params: Params }

/** The targets of a stream, each of them once, under the first identifier that names it. */
export function readIdentifiers(identifiers: string[], channels: ReadonlyMap<string, Channel>) {
  const targets = new Map<string, Target>()
  for (const identifier of identifiers) {
    const target = readIdentifier(identifier, channels)
    const { channel, params } = target
    const meaning =
      channel === unknownChannel ? identifier : JSON.stringify([channel.name, channel.params.map((p) => params[p])])
    if (!targets.has(meaning)) targets.set(meaning, target)
  }
  return [...targets.values()]
}

/** Parses an identifier: JSON with the channel's name and exactly its parameters, all strings. */
export function readIdentifier(identifier: string, channels: ReadonlyMap<string, Channel>): Target {
  const given = parseJson(identifier)
  const { channel: name = '', ...params } = isParams(given) ? given : {}
  const channel = channels.get(name) ?? unknownChannel
  const isComplete = channel.params.every((param) => Object.hasOwn(params, param))
  const isExact = isComplete && Object.keys(params).length === channel.params.length
  return { identifier, channel: isExact ? channel : unknownChannel, params }
}

/** The channel of invalid identifiers, which nobody may access. */
const unknownChannel: Channel = {
  name: '',
  params: [],
  subscribe: async (_db, subscribers) => subscribers.map(() => undefined),
}

const isParams = (value: unknown): value is Params =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((param) => typeof param === 'string' && isStorable(param))
