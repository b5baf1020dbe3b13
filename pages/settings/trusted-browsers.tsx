import { router } from '@inertiajs/react'
import { MonitorCheck } from 'lucide-react'
import { paths } from '../../features/paths.ts'
import { Button } from '../shared/button.tsx'
import { focusHeading } from '../shared/focus.ts'
import { plural, t } from '../words/t.ts'

/** How many browsers need no second step, and a way to end that. */
export const TrustedBrowsers = ({ count }: { count: number }) => (
  <section className="card row">
    <MonitorCheck className="row-icon" aria-hidden="true" />
    <div className="row-text">
      <h2>{t('Trusted browsers')}</h2>
      <span>
        {plural(
          count,
          '{count} browser signs in without a second step.',
          '{count} browsers sign in without a second step.',
        )}
      </span>
    </div>
    <Button
      size="small"
      onClick={() =>
        router.delete(paths.forgetTrustedBrowsers().url, { preserveScroll: true, onSuccess: focusHeading })
      }
    >
      {t('Forget all')}
    </Button>
  </section>
)
