import { apiPaths } from '../../../features/api/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { settingsLayouts } from '../../layouts/settings.tsx'
import { Heading } from '../../shared/heading.tsx'
import { t } from '../../words/t.ts'
import { Tokens } from '../tokens.tsx'

const paths = { create: apiPaths.createToken(), roll: apiPaths.rollToken, revoke: apiPaths.revokeToken }

export default function UserTokens({ tokens }: PageProps<'settings/tokens'>) {
  return (
    <>
      <Heading title={t('Tokens')}>
        {t('A token lets a program or an app use the API as you. Treat it like a password.')}
      </Heading>
      <Tokens
        tokens={tokens}
        paths={paths}
        title={t('Your tokens')}
        nothing={t('You have no tokens yet.')}
        full={t('You have 20 tokens already')}
      />
    </>
  )
}

UserTokens.layout = settingsLayouts
