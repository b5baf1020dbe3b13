import { Link } from '@inertiajs/react'
import { Circle, CircleCheck } from 'lucide-react'
import type { AccountProps } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { t } from '../words/t.ts'

type Props = { account: AccountProps; steps: NonNullable<PageProps<'accounts/show'>['first_steps']> }

export function FirstSteps({ account, steps }: Props) {
  const all = [
    {
      done: steps.named,
      name: t('Name the workspace'),
      why: t('People you invite see this name.'),
      path: `${paths.accountSettings(account.slug).url}#name`,
    },
    {
      done: steps.invited,
      name: t('Invite someone'),
      why: t('Workspaces are made for sharing.'),
      path: `${paths.members(account.slug).url}#invite`,
    },
  ]
  if (all.every(({ done }) => done)) return null

  return (
    <section className="card padded first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{t('First steps')}</h2>
      <ul>
        {all.map(({ done, name, why, path }) => (
          <li key={name} data-done={done}>
            {done ? <CircleCheck aria-hidden="true" /> : <Circle aria-hidden="true" />}
            <div>
              {done ? (
                <s>
                  <span className="visually-hidden">{t('Done:')} </span>
                  {name}
                </s>
              ) : (
                <>
                  <Link className="link" href={path}>
                    {name}
                  </Link>
                  <span>{why}</span>
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
