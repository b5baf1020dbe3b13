import { Link, router } from '@inertiajs/react'
import { Building2, CircleCheck, MailCheck, UserPlus, X } from 'lucide-react'
import type { FirstStep } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { text } from '../../plugins/languages/text.ts'
import type { FirstStepLook } from '../feature.ts'
import { features } from '../features.ts'
import { useOn } from '../parts/on.ts'
import { Arch } from '../shared/arch.tsx'
import { Button } from '../shared/button.tsx'
import { focusHeading } from '../shared/focus.ts'
import { t } from '../words/t.ts'

const ours: { [Step in FirstStep]?: FirstStepLook } = {
  email: {
    icon: MailCheck,
    name: text('Verify your email'),
    why: text('So that you can get back in, and join others.'),
    path: () => paths.email().url,
  },
  workspace: {
    icon: Building2,
    name: text('Create or join a workspace'),
    why: text('To join one, ask somebody there to invite you.'),
    path: () => paths.newAccount().url,
  },
  invitation: {
    icon: UserPlus,
    name: text('Invite someone'),
    why: text('Workspaces are made for sharing.'),
    path: (slug) => `${paths.members(slug).url}#invite`,
  },
}

type Props = { slug: string; steps: NonNullable<PageProps<'accounts/show'>['first_steps']> }

export function FirstSteps({ slug, steps }: Props) {
  const looks = Object.assign({}, ours, ...useOn(features).map(({ firstSteps }) => firstSteps))
  const done = steps.filter(({ done }) => done).length
  return (
    <section className="card padded first-steps" aria-labelledby="first-steps">
      <header>
        <Arch bands={steps.length} lit={done} />
        <div>
          <h2 id="first-steps">{t('First steps')}</h2>
          <p>{t('{done} of {count}', { done, count: steps.length })}</p>
        </div>
        <Button
          look="quiet"
          size="small"
          aria-label={t('Dismiss the first steps')}
          onClick={() => dismiss('first_steps')}
        >
          <X />
        </Button>
      </header>
      <ul>
        {steps.map(({ id, done }) => {
          const look: FirstStepLook | undefined = looks[id]
          if (!look) return null
          const { icon: Icon, name, why, path } = look
          return (
            <li key={id} data-done={done}>
              {done ? <CircleCheck aria-label={t('Done')} role="img" /> : <Icon />}
              {done ? (
                t(name)
              ) : (
                <Link className="link" href={path(slug)}>
                  {t(name)}
                </Link>
              )}
              {!done && <span>{t(why)}</span>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** For good, on every device. */
export const dismiss = (name: 'first_steps' | 'team') =>
  router.post(
    paths.dismiss().url,
    { name },
    {
      only: ['first_steps', 'asks_for_team'],
      preserveScroll: true,
      onSuccess: ({ flash }) => flash.alert || focusHeading(),
    },
  )
