import { Link } from '@inertiajs/react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Avatar } from '../shared/avatar.tsx'
import { Day } from '../shared/time.tsx'
import { t } from '../words/t.ts'
import { Names } from './names.tsx'

type Props = { slug: string; people: NonNullable<PageProps<'accounts/show'>['people']>; members: number }

/** Who is in a workspace, for those who do not manage it. */
export const People = ({ slug, people: { faces, owners, joined_at }, members }: Props) => (
  <section className="card padded" aria-labelledby="people">
    <h2 id="people">{t('People')}</h2>
    <ul className="faces">
      {faces.map(({ user_id, name, picture }) => (
        <li key={user_id} title={name}>
          <Avatar of={user_id} name={name} picture={picture} round alt={name} />
        </li>
      ))}
      {members > faces.length && (
        <li>
          <Link className="link" href={paths.members(slug).url}>
            {t('and {count} more', { count: members - faces.length })}
          </Link>
        </li>
      )}
    </ul>
    <dl className="people-facts">
      <dt>{t('Owned by')}</dt>
      <dd>
        <Names names={owners.names} count={owners.count} />
      </dd>
      <dt>{t('You joined')}</dt>
      <dd>
        <Day at={joined_at} />
      </dd>
    </dl>
  </section>
)
