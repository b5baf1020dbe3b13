import { router } from '@inertiajs/react'
import { useEffect, useState } from 'react'
import type { MemberProps } from '../../features/accounts/props.ts'
import { paths, query } from '../../features/paths.ts'
import { Avatar } from '../shared/avatar.tsx'
import type { Command } from './commands.tsx'

const pauseMs = 200 // to wait for more typing
const fewest = 2 // letters
const most = 6

/** The members of a workspace whose name or address contains what was typed, as commands that lead to them. */
export function useMembers(slug: string | undefined, typed: string): Command[] {
  const [answer, setAnswer] = useState<{ q: string; members: MemberProps[] }>()
  const q = typed.trim()

  useEffect(() => {
    if (!slug || q.length < fewest) return
    const leaving = new AbortController()
    const timer = setTimeout(async () => {
      // Without an answer, the palette is one of pages.
      const members = await search(slug, q, leaving.signal).catch(() => [])
      if (!leaving.signal.aborted) setAnswer({ q, members })
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [slug, q])

  if (!slug || q.length < fewest || !answer) return []
  return answer.members.slice(0, most).map(({ id, user_id, name, email, picture }) => ({
    id: `member-${id}`,
    name,
    hint: email,
    icon: <Avatar of={user_id} name={name} picture={picture} round />,
    run: () => router.visit(`${paths.members(slug).url}${query({ q: email })}`),
  }))
}

/** Part of the members page, as a reload in the background asks for it. */
async function search(slug: string, q: string, signal: AbortSignal): Promise<MemberProps[]> {
  const response = await fetch(`${paths.members(slug).url}${query({ q })}`, {
    signal,
    cache: 'no-store',
    headers: {
      accept: 'text/html, application/xhtml+xml',
      'cache-control': 'no-cache',
      'x-inertia': 'true',
      'x-inertia-partial-component': 'accounts/members',
      'x-inertia-partial-data': 'members',
      'x-unattended': 'true',
    },
  })
  const { props }: { props: { members: MemberProps[] } } = await response.json()
  return props.members
}
