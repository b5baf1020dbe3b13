import { LifeBuoy } from 'lucide-react'
import { useState } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { ButtonLink, SmallButton } from '../shared/button.tsx'
import { focusHeading } from '../shared/focus.ts'
import { Topic } from '../shared/topic.tsx'
import { keep, kept } from '../visits/storage.ts'
import { plural, t } from '../words/t.ts'

const name = 'phone-is-here'

/** For who has just signed in with a recovery code: how many are left, and what to do without the phone. */
export function AfterRecovery({ recovery_codes_left: left }: PageProps<'accounts/show'>) {
  const [isOpen, setOpen] = useState(() => !kept(name))
  if (left === undefined || !isOpen) return null
  const dismiss = () => {
    keep(name, true)
    setOpen(false)
    focusHeading()
  }
  return (
    <Topic
      icon={LifeBuoy}
      title={t('Lost your phone?')}
      explanation={
        <>
          {t('You signed in with a recovery code.')}{' '}
          {left === 0
            ? t('No recovery codes left')
            : plural(left, '{count} recovery code is left', '{count} recovery codes left')}
          {'. '}
          {t('Turn the app off and set it up on your new phone, and create new codes.')}
        </>
      }
      action={
        <div className="row-actions">
          <SmallButton onClick={dismiss}>{t('I still have it')}</SmallButton>
          <ButtonLink size="small" look="primary" href={paths.security().url}>
            {t('Set up a new phone')}
          </ButtonLink>
        </div>
      }
    />
  )
}
