import type { PageProps } from '../../plugins/inertia/pages.ts'
import { settingsLayouts } from '../layouts/settings.tsx'
import { Parts, useHasPart } from '../parts/parts.tsx'
import { Heading } from '../shared/heading.tsx'
import { t } from '../words/t.ts'
import { SecuritySummary } from './security-summary.tsx'
import { VerifyFirst } from './verify-first.tsx'

export default function Security(props: PageProps<'settings/security'>) {
  return (
    <>
      <Heading title={t('Security')}>{t('What protects your account.')}</Heading>
      <Parts of="settings/security:first" with={props} />
      <SecuritySummary {...props} />
      {useHasPart('settings/security') && <VerifyFirst />}
      <Parts of="settings/security" with={props} />
    </>
  )
}

Security.layout = settingsLayouts
