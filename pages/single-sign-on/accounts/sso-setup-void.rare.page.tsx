import { AuthLayout } from '../../layouts/auth.tsx'
import { Heading } from '../../shared/heading.tsx'
import { t } from '../../words/t.ts'

export default function VoidSetup() {
  return (
    <Heading title={t('This link is used up, withdrawn or expired')}>
      {t('If you have just finished: thank you, the rest is up to the owner. Otherwise, ask them for a new link.')}
    </Heading>
  )
}

VoidSetup.layout = AuthLayout
