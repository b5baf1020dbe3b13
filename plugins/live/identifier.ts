import { isStorable } from '../database/index.ts'
import { parseJson } from '../http/bodies.ts'
import type { Channel, Params } from './broadcast.ts'

export type Target = { identifier: string; channel: Channel; params: Params }
type Channels = ReadonlyMap<string, Channel>

/** The targets of a stream, each of them once, under the first identifier that names it. */
export function readIdentifiers(identifiers: string[], channels: Channels) {
  const targets = new Map<string, Target>()
  for (const identifier of identifiers) {
    const target = readIdentifier(identifier, channels)
    const { name, params } = target.channel
    const meaning = name ? JSON.stringify([name, params.map((param) => target.params[param])]) : identifier
    if (!targets.has(meaning)) targets.set(meaning, target)
  }
  return [...targets.values()]
}

/** Parses an identifier: JSON with the channel's name and exactly its parameters, all strings. */
export function readIdentifier(identifier: string, channels: Channels): Target {
  const given = parseJson(identifier)
  const { channel: name = '', ...params } = isParams(given) ? given : {}
  const channel = channels.get(name)
  const isExact =
    channel?.params.length === Object.keys(params).length &&
    channel.params.every((param) => Object.hasOwn(params, param))
  return { identifier, channel: channel && isExact ? channel : unknownChannel, params }
}

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
