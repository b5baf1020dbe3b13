import { isIP } from 'node:net'
import { Type } from 'typebox'
import type { Webhook } from '../../drizzle/tables/webhooks.ts'
import { isStorable } from '../../plugins/database/index.ts'
import { withMessages } from '../../plugins/forms/index.ts'
import { challengeFields, OptionalText } from '../../plugins/forms/parameters.ts'
import { isLoopback, isPublic } from '../../plugins/http/guarded-fetch.ts'
import { text } from '../../plugins/languages/index.ts'
import { everyType, workspaceTypes } from './types.ts'

export const WebhookBody = Type.Object({
  url: OptionalText,
  types: Type.Optional(Type.Union([Type.Array(Type.String()), Type.String(), Type.Null()])),
  ...challengeFields,
})

type Typed = { url?: string | null; types?: string[] | string | null }

const maxLength = 2_000

/** The URL as it is called, the types without doubles, and what is wrong with them. */
export function checkWebhook(typed: Typed, allowPrivate: boolean) {
  const url = (typed.url ?? '').trim()
  const types = [...new Set(typeof typed.types === 'string' ? [typed.types] : typed.types)].filter(Boolean)
  const errors = withMessages({ url: urlMessages(url, allowPrivate), types: typesMessages(types) })
  return { url: URL.canParse(url) ? new URL(url).href : '', types, errors }
}

function urlMessages(typed: string, allowPrivate: boolean) {
  if (typed === '') return [text("can't be blank")]
  const url = isStorable(typed) && typed.length <= maxLength && URL.canParse(typed) ? new URL(typed) : undefined
  const isAsked = url && url.href.length <= maxLength && !url.username && !url.password && !url.href.includes('#')
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? ''
  const isSecure = url?.protocol === 'https:' || (allowPrivate && url?.protocol === 'http:' && isLoopback(host))
  if (!isAsked || !isSecure) return [text('is invalid')]
  const isRefused = /^localhost\.?$/.test(host) || (isIP(host) !== 0 && !isPublic(host))
  return isRefused && !allowPrivate ? [text("can't be reached")] : []
}

function typesMessages(types: string[]) {
  if (types.length === 0) return [text("can't be blank")]
  const known = workspaceTypes()
  const isListed = types.every((type) => known.includes(type)) || (types.length === 1 && types[0] === everyType)
  return isListed ? [] : [text('is not included in the list')]
}

/** What records say of one: the host alone, with its port unless that is the usual one. */
export const aboutWebhook = ({ id, url }: Pick<Webhook, 'id' | 'url'>) => ({ webhook_id: id, host: new URL(url).host })
