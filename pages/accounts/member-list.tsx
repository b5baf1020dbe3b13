import { router, usePage } from '@inertiajs/react'
import { useEffect, useRef, useState } from 'react'
import type { AccountProps, MemberProps } from '../../features/accounts/props.ts'
import { Button } from '../shared/button.tsx'
import { plural, t } from '../words/t.ts'
import { MemberRow, type Viewer } from './member-row.tsx'

type Props = Viewer & {
  account: AccountProps
  members: MemberProps[]
  /** The total, loaded or not. Undefined until it has been loaded. */
  count: number | undefined
  isSearched: boolean
  here: Set<number>
}

/** The loaded members, and a button for more. */
export function MemberList({ account, members, count, isSearched, here, ...viewer }: Props) {
  const next = usePage().scrollProps?.members?.nextPage
  const rows = useRef<HTMLUListElement>(null)
  const [loading, setLoading] = useState(false)
  const [seen, setSeen] = useState(0)

  // The button may be gone, and the new rows are above it, so focus the first of them.
  useEffect(() => {
    if (seen > 0) rows.current?.querySelector<HTMLElement>(`li:nth-child(${seen + 1})`)?.focus({ preventScroll: true })
  }, [seen])

  const loadMore = () => {
    if (loading) return
    setLoading(true)
    router.reload({
      only: ['members'],
      data: { after: next },
      preserveUrl: true,
      onSuccess: () => setSeen(members.length),
      onFinish: () => setLoading(false),
    })
  }

  return (
    <section className="list" aria-label={t('Members')}>
      <p className="list-hint" role="status">
        {count !== undefined && countOf(count, isSearched)}
      </p>
      {members.length > 0 && (
        <ul className="card rows" ref={rows}>
          {members.map((member) => (
            <MemberRow
              key={member.id}
              account={account}
              member={member}
              isHere={here.has(member.user_id)}
              {...viewer}
            />
          ))}
        </ul>
      )}
      {members.length === 1 && !isSearched && !next && (
        <p className="list-hint">{t("It's just you so far. Nobody else can see this workspace.")}</p>
      )}
      {members.length === 0 && (
        <p className="list-hint">{t('No members match. Try a shorter search or another role.')}</p>
      )}
      {next && (
        <Button size="large" aria-disabled={loading} onClick={loadMore}>
          {t('Load more')}
        </Button>
      )}
    </section>
  )
}

const countOf = (count: number, isSearched: boolean) => {
  if (isSearched) return t('{count} found', { count })
  return plural(count, '{count} person', '{count} people')
}
