import { Link } from '@inertiajs/react'
import { operatorPaths } from '../../features/operators/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Heading } from '../shared/heading.tsx'
import { Name } from '../shared/name.ts'
import { t } from '../words/t.ts'
import { OperatorLayout } from './layout.tsx'
import { Row } from './rows.tsx'
import { Origin, SearchedList } from './search.tsx'

export default function Users({ users, q }: PageProps<'operators/users'>) {
  return (
    <>
      <Heading title={t('Users')} />
      <SearchedList of="users" q={q} label={t('Id, or how the name or email begins')} shown={users.length}>
        {users.map(({ id, name, email, verified, created_at, suspended_at }) => (
          <Row key={id} facts={<Origin id={id} at={created_at} />}>
            <p>
              <Link href={operatorPaths.user(id).url}>
                <Name>{name}</Name>
              </Link>{' '}
              {suspended_at && <span className="badge badge-open">{t('suspended')}</span>}{' '}
              {!verified && <span className="badge badge-open">{t('unverified')}</span>}
            </p>
            <bdi>{email}</bdi>
          </Row>
        ))}
      </SearchedList>
    </>
  )
}

Users.layout = [OperatorLayout]
