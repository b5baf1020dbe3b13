import { operatorPaths } from '../../../features/operators/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { Heading } from '../../shared/heading.tsx'
import { Day } from '../../shared/time.tsx'
import { t } from '../../words/t.ts'
import { OperatorLayout } from '../layout.tsx'
import { Row, Target } from '../rows.tsx'
import { SearchedList } from '../search.tsx'

export default function Accounts({ accounts, q }: PageProps<'operators/accounts'>) {
  return (
    <>
      <Heading title={t('Workspaces')} />
      <SearchedList of="accounts" q={q} label={t('Start of a name or address, or an id')} shown={accounts.length}>
        {accounts.map(({ id, name, slug, created_at }) => (
          <Row key={id} text={<Target to={operatorPaths.account(id)} name={name} address={`/${slug}`} />}>
            {id}
            <Day at={created_at} />
          </Row>
        ))}
      </SearchedList>
    </>
  )
}

Accounts.layout = [OperatorLayout]
