import { isStorable } from '../database/index.ts'
import type { Channel, Params } from './channel.ts'

export type Target = { channel: Channel; params: Params }
type Channels = ReadonlyMap<string, Channel>

/** The targets of a stream, each of them once, under the first identifier that names it. */
export function readIdentifiers(identifiers: string[], channels: Channels) {
  const asked = new Map<string, Target & { identifier: string }>()
  for (const identifier of identifiers) {
    const target = readIdentifier(identifier, channels)
    const { channel, params } = target
    const meaning =
      target === nowhere ? identifier : JSON.stringify([channel.name, channel.params.map((p) => params[p])])
    if (!asked.has(meaning)) asked.set(meaning, { identifier, ...target })
  }
  return [...asked.values()]
}

/** Parses an identifier: JSON with the channel's name and exactly its parameters, all strings. */
export function readIdentifier(identifier: string, channels: Channels): Target {
  const { channel: name = '', ...params } = parse(identifier) ?? {}
  const channel = channels.get(name)
  if (!channel || Object.keys(params).length !== channel.params.length) return nowhere
  return channel.params.every((param) => Object.hasOwn(params, param)) ? { channel, params } : nowhere
}

/** The target of invalid identifiers, which nobody may access. */
const nowhere: Target = {
  channel: { name: '', params: [], subscribe: async (_db, subscribers) => subscribers.map(() => undefined) },
  params: {},
}

function parse(identifier: string): Params | undefined {
  try {
    const value: unknown = JSON.parse(identifier)
    return isParams(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isParams = (value: unknown): value is Params =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((param) => typeof param === 'string' && isStorable(param))
