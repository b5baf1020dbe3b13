import { Link } from '@inertiajs/react'
import { operatorPaths } from '../../features/operators/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Heading } from '../shared/heading.tsx'
import { Name } from '../shared/name.ts'
import { t } from '../words/t.ts'
import { OperatorLayout } from './layout.tsx'
import { Row } from './rows.tsx'
import { Origin, SearchedList } from './search.tsx'

export default function Accounts({ accounts, q }: PageProps<'operators/accounts'>) {
  return (
    <>
      <Heading title={t('Workspaces')} />
      <SearchedList of="accounts" q={q} label={t('Id, or how the name or address begins')} shown={accounts.length}>
        {accounts.map(({ id, name, slug, created_at }) => (
          <Row key={id} facts={<Origin id={id} at={created_at} />}>
            <Link href={operatorPaths.account(id).url}>
              <Name>{name}</Name>
            </Link>
            <bdi>/{slug}</bdi>
          </Row>
        ))}
      </SearchedList>
    </>
  )
}

Accounts.layout = [OperatorLayout]
