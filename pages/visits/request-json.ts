import { http } from '@inertiajs/core'
import type { Path } from '../../features/paths.ts'

/** Requests JSON instead of a page. Throws the HTTP client's error on any other response. */
export async function requestJson<Answer>({ method, url }: Path, body: object): Promise<Answer> {
  const { data } = await http.getClient().request({ method, url, data: body, headers: { Accept: 'application/json' } })
  return JSON.parse(data)
}

/** Turns a browser object, such as a credential, into plain JSON. */
export const plain = (thing: object) => JSON.parse(JSON.stringify(thing))
