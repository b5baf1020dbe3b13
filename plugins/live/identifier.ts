import { isStorable } from '../database/index.ts'
import type { Channel, Params } from './channel.ts'

export type Target = { channel: Channel; params: Params }

/** The channel and parameters that an identifier names: JSON, whose members are those of the channel and all strings. */
export function readIdentifier(identifier: string, channels: ReadonlyMap<string, Channel>): Target {
  const { channel: name = '', ...params } = parse(identifier) ?? {}
  const channel = channels.get(name)
  if (!channel || Object.keys(params).length !== channel.params.length) return nowhere
  return channel.params.every((param) => Object.hasOwn(params, param)) ? { channel, params } : nowhere
}

/** Where identifiers lead that name nothing: it is open to nobody. */
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
