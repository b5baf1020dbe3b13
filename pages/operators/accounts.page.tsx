import { Link } from '@inertiajs/react'
import { operatorPaths } from '../../features/operators/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Heading } from '../shared/heading.tsx'
import { Name } from '../shared/name.ts'
import { Day } from '../shared/time.tsx'
import { t } from '../words/t.ts'
import { OperatorLayout } from './layout.tsx'
import { SearchedList } from './search.tsx'

export default function Accounts({ accounts, q }: PageProps<'operators/accounts'>) {
  return (
    <>
      <Heading title={t('Workspaces')} />
      <SearchedList of="accounts" q={q} label={t('Id, or how the name or address begins')} shown={accounts.length}>
        {accounts.map(({ id, name, slug, created_at }) => (
          <li className="row" key={id} data-row tabIndex={-1}>
            <div className="row-text">
              <Link href={operatorPaths.account(id).url}>
                <Name>{name}</Name>
              </Link>
              <bdi>/{slug}</bdi>
            </div>
            <span className="facts">
              <span>{id}</span>
              <Day at={created_at} />
            </span>
          </li>
        ))}
      </SearchedList>
    </>
  )
}

Accounts.layout = [OperatorLayout]
