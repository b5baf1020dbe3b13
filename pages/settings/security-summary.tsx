import { Check, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { features } from '../features.ts'
import { useOn } from '../parts/on.ts'
import { useHasSecondFactors } from '../parts/parts.tsx'
import { plural, t } from '../words/t.ts'

/** What protects the account and leads back into it, and the worst that is missing. */
export function SecuritySummary(props: PageProps<'settings/security'>) {
  const protections = useOn(features).flatMap(({ protection }) => protection?.(props) ?? [])
  const isVerified = props.auth.user?.verified ?? false
  const hasPassword = props.without_password === undefined
  const ways = protections.reduce((sum, { ways = 0 }) => sum + ways, hasPassword ? 1 : 0)
  const hasSecondFactor = protections.some(({ isSecondFactor }) => isSecondFactor)
  const sparesLeft = protections.find((each) => each.sparesLeft !== undefined)?.sparesLeft
  const gaps = protections
    .flatMap(({ gaps }) => gaps?.({ ways, hasPassword, hasSecondFactor, sparesLeft }) ?? [])
    .filter((gap) => gap !== false)
    .toSorted((one, other) => one.rank - other.rank)
  const worst = isVerified ? gaps[0]?.text : t('If you forget your password, nothing leads back. Verify your email.')

  return (
    <section className="card padded security-summary" aria-labelledby="security-summary">
      <h2 id="security-summary" className="visually-hidden">
        {t('Summary')}
      </h2>
      <ul>
        <Fact isFine={isVerified}>{isVerified ? t('Email verified') : t('Email not verified')}</Fact>
        {protections.length > 0 && (
          <Fact isFine={ways > 1}>{plural(ways, '{count} way to sign in', '{count} ways to sign in')}</Fact>
        )}
        {useHasSecondFactors() && (hasPassword || hasSecondFactor) && (
          <Fact isFine={hasSecondFactor}>{hasSecondFactor ? t('Second factor on') : t('No second factor')}</Fact>
        )}
        {protections.flatMap(({ facts = [] }) =>
          facts.map(({ isFine, text }) => (
            <Fact key={text} isFine={isFine}>
              {text}
            </Fact>
          )),
        )}
      </ul>
      <p>{worst ?? t('Nothing is missing.')}</p>
    </section>
  )
}

const Fact = ({ isFine, children }: { isFine: boolean; children: ReactNode }) => (
  <li data-fine={isFine}>
    {isFine ? <Check /> : <TriangleAlert />}
    {children}
  </li>
)
