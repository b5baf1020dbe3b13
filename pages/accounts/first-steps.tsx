import { Link } from '@inertiajs/react'
import { Building2, ImagePlus, KeyRound, type LucideIcon, MailCheck, UserPlus } from 'lucide-react'
import type { FirstStep } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { type Text, text } from '../../plugins/languages/text.ts'
import { t } from '../words/t.ts'

type Step = { icon: LucideIcon; name: Text; why: Text; path(slug: string): string }

const steps: Record<FirstStep, Step> = {
  email: {
    icon: MailCheck,
    name: text('Verify your email'),
    why: text('So that you can get back in, and join others.'),
    path: () => paths.email().url,
  },
  picture: {
    icon: ImagePlus,
    name: text('Add a picture'),
    why: text('So that others recognize you.'),
    path: () => `${paths.profile().url}#picture`,
  },
  passkey: {
    icon: KeyRound,
    name: text('Set up a passkey'),
    why: text('So that your fingerprint, face or PIN signs you in.'),
    path: () => `${paths.security().url}#passkeys`,
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

export const FirstSteps = ({ slug, steps: toDo }: { slug: string; steps: FirstStep[] }) => (
  <section className="card padded first-steps" aria-labelledby="first-steps">
    <h2 id="first-steps">{t('First steps')}</h2>
    <ul>
      {toDo.map((step) => {
        const { icon: Icon, name, why, path } = steps[step]
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
