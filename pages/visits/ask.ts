import { http } from '@inertiajs/core'
import type { Path } from '../../features/paths.ts'

/** Asks for something that is no page. Throws what the client throws when there is no such answer. */
export async function ask<Answer>({ method, url }: Path, body: object): Promise<Answer> {
  const { data } = await http.getClient().request({ method, url, data: body, headers: { Accept: 'application/json' } })
  return JSON.parse(data)
}

/** What a browser's own object says, as it travels. */
export const plain = (thing: object) => JSON.parse(JSON.stringify(thing))
