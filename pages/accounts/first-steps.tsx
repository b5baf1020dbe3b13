import { Link } from '@inertiajs/react'
import { Building2, MailCheck, UserPlus } from 'lucide-react'
import type { FirstStep } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { text } from '../../plugins/languages/text.ts'
import type { FirstStepLook } from '../feature.ts'
import { features } from '../features.ts'
import { useOn } from '../parts/on.ts'
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

export function FirstSteps({ slug, steps: toDo }: { slug: string; steps: FirstStep[] }) {
  const looks = Object.assign({}, ours, ...useOn(features).map(({ firstSteps }) => firstSteps))
  return (
    <section className="card padded first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{t('First steps')}</h2>
      <ul>
        {toDo.map((step) => {
          const look: FirstStepLook | undefined = looks[step]
          if (!look) return null
          const { icon: Icon, name, why, path } = look
          return (
            <li key={step}>
              <Icon />
              <Link className="link" href={path(slug)}>
                {t(name)}
              </Link>
              <span>{t(why)}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
