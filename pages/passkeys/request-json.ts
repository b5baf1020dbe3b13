import { HttpResponseError, http } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import type { Path } from '../../features/paths.ts'

/** Requests JSON instead of a page. Throws the HTTP client's error on any other response. */
export async function requestJson<Answer>({ method, url }: Path, body: object): Promise<Answer> {
  const headers = { Accept: 'application/json' }
  const { data } = await http
    .getClient()
    .request({ method, url, data: body, headers })
    .catch((error) => {
      // The session has ended, or is someone else's. A visit leads to where that is explained.
      const status = error instanceof HttpResponseError && error.response.status
      if (status === 401 || status === 409) router.reload({ only: ['auth'] })
      throw error
    })
  return JSON.parse(data)
}

export const isCancelled = (error: unknown) => error instanceof Error && /^(NotAllowed|Abort)Error$/.test(error.name)

export const plain = (thing: object) => JSON.parse(JSON.stringify(thing))
