import { Link } from '@inertiajs/react'
import { Crown, type LucideIcon, Mail, ShieldAlert, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Figures } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { useHasSecondFactors } from '../parts/parts.tsx'
import { plural, t } from '../words/t.ts'
import { Names } from './names.tsx'

type Props = { slug: string; figures: Figures; members: number }

/** What managers ask of a workspace, each with the way to the list that it counts. */
export function AccountFigures({ slug, figures, members }: Props) {
  const { invitations, owners, without_factor, requires_second_factor } = figures
  const list = paths.members(slug).url
  const hasFactors = useHasSecondFactors()
  return (
    <section aria-label={t('At a glance')}>
      <ul className="card figures">
        <Figure icon={Mail} href={`${list}#invitations`} more={<Answers {...invitations} />}>
          {invitations.open === 0
            ? t('No open invitations')
            : invitations.expired > 0
              ? t('{open} open · {expired} expired', { ...invitations, open: invitations.open - invitations.expired })
              : plural(invitations.open, '{count} open invitation', '{count} open invitations')}
        </Figure>
        {hasFactors && members > 1 && (
          <Figure
            icon={without_factor > 0 ? ShieldAlert : ShieldCheck}
            href={without_factor > 0 ? `${list}?second_factor=no` : list}
            more={requires_second_factor ? t('It is required here.') : t('It is not required here.')}
          >
            {without_factor === 0
              ? t('Everyone has a second factor')
              : plural(without_factor, '{count} without a second factor', '{count} without a second factor')}
          </Figure>
        )}
        <Figure icon={Crown} href={`${list}?role=owner`} more={<Names names={owners.names} count={owners.count} />}>
          {plural(owners.count, '{count} owner', '{count} owners')}
        </Figure>
      </ul>
    </section>
  )
}

function Answers({ open, expired }: Figures['invitations']) {
  if (open === 0) return t('Everyone has answered.')
  return expired === 0 ? t('None has expired.') : t('Invitations')
}

type FigureProps = { icon: LucideIcon; href: string; more: ReactNode; children: ReactNode }

const Figure = ({ icon: Icon, href, more, children }: FigureProps) => (
  <li>
    <Link className="figure" href={href}>
      <Icon />
      <strong>{children}</strong>
      <span>{more}</span>
    </Link>
  </li>
)
