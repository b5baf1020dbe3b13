import { operatorPaths } from '../../../features/operators/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { Heading } from '../../shared/heading.tsx'
import { Day } from '../../shared/time.tsx'
import { t } from '../../words/t.ts'
import { OperatorLayout } from '../layout.tsx'
import { Row, Target } from '../rows.tsx'
import { SearchedList } from '../search.tsx'

export default function Users({ users, q }: PageProps<'operators/users'>) {
  return (
    <>
      <Heading title={t('Users')} />
      <SearchedList of="users" q={q} label={t('Start of a name or email, or an id')} shown={users.length}>
        {users.map(({ id, name, email, created_at, ...user }) => (
          <Row
            key={id}
            text={<Target to={operatorPaths.user(id)} name={name} address={email} badges={badgesOf(user)} />}
          >
            {id}
            <Day at={created_at} />
          </Row>
        ))}
      </SearchedList>
    </>
  )
}

type User = PageProps<'operators/users'>['users'][number]

const badgesOf = ({ suspended_at, verified }: Pick<User, 'suspended_at' | 'verified'>) => [
  ...(suspended_at ? [t('suspended')] : []),
  ...(verified ? [] : [t('unverified')]),
]

Users.layout = [OperatorLayout]
