import { liftSsoRequirement } from '../../features/single-sign-on/with-operators/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Block, Row } from '../operators/rows.tsx'
import type { PartsOf, Places } from '../places.ts'
import { WithPassword } from '../popups/with-password.tsx'
import { Day } from '../shared/time.tsx'
import { rich, t } from '../words/t.ts'

type Props = PageProps<'operators/account'>

/** Its heading has the focus once nothing is required. */
const Domains = ({ account: { id, name }, domains, requires }: Props) =>
  domains && (
    <Block
      title={t('Domains')}
      nothing={domains.length === 0 && t('None.')}
      more={
        requires.sso && (
          <WithPassword
            title={rich('Stop requiring single sign-on in {name}?', { name })}
            action={t('Stop requiring single sign-on')}
            to={liftSsoRequirement(id)}
          >
            <p>{t('Members sign in again as before it was required. All owners get a mail.')}</p>
          </WithPassword>
        )
      }
    >
      {domains.map(({ domain, verified_at }) => (
        <Row key={domain} text={<bdi>{domain}</bdi>}>
          {verified_at ? <Day at={verified_at} /> : t('unverified')}
        </Row>
      ))}
    </Block>
  )

export const partsForOperators: PartsOf<Places> = { 'operators/account': Domains }
