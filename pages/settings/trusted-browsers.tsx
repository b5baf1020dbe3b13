import { router } from '@inertiajs/react'
import { MonitorCheck } from 'lucide-react'
import { paths } from '../../features/paths.ts'
import { Button } from '../shared/button.tsx'
import { focusHeading } from '../shared/focus.ts'
import { Topic } from '../shared/topic.tsx'
import { plural, t } from '../words/t.ts'

/** How many browsers need no second step, and a way to end that. */
export const TrustedBrowsers = ({ count }: { count: number }) => (
  <Topic
    icon={MonitorCheck}
    title={t('Trusted browsers')}
    explanation={plural(
      count,
      '{count} browser signs in without a second step.',
      '{count} browsers sign in without a second step.',
    )}
    action={
      <Button
        size="small"
        onClick={() =>
          router.delete(paths.forgetTrustedBrowsers().url, { preserveScroll: true, onSuccess: focusHeading })
        }
      >
        {t('Forget all')}
      </Button>
    }
  />
)
