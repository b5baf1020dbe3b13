import { Link } from '@inertiajs/react'
import { may } from '../../../features/accounts/rights.ts'
import '../rights.ts'
import { AppLayout } from '../../../pages/layouts/app.tsx'
import { accountChannel, useLiveReload } from '../../../pages/live/hooks.ts'
import { Empty } from '../../../pages/shared/arch.tsx'
import { ButtonLink } from '../../../pages/shared/button.tsx'
import { Download } from '../../../pages/shared/download.tsx'
import { Heading } from '../../../pages/shared/heading.tsx'
import { More } from '../../../pages/shared/more.tsx'
import { rich, t } from '../../../pages/words/t.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { projectPaths } from '../paths.ts'
import { ProjectRow } from './project-row.tsx'

type Props = PageProps<'projects/index'>

export default function Projects({ account, membership, projects, currencies, currency }: Props) {
  useLiveReload(accountChannel(account.slug), { projects: ['projects'], members: ['projects'] })

  return (
    <>
      <div className="heading-bar">
        <Heading title={t('Projects')}>{rich('What {name} works on.', { name: account.name })}</Heading>
        <div className="row-actions">
          <Download href={projectPaths.projectsFile(account.slug).url} />
          {may(membership.role, 'projects.write') && (
            <ButtonLink look="primary" href={projectPaths.newProject(account.slug).url}>
              {t('New project')}
            </ButtonLink>
          )}
        </div>
      </div>
      {(currency || projects.length > 0) && <Filter slug={account.slug} currencies={currencies} chosen={currency} />}
      <section className="list" aria-label={t('Projects')}>
        {projects.length > 0 ? (
          <ul className="card rows">
            {projects.map((project) => (
              <ProjectRow key={project.id} slug={account.slug} project={project} />
            ))}
          </ul>
        ) : (
          <div className="card">
            <Empty>
              <p>{currency ? t('No projects in {currency}.', { currency }) : t('No projects yet.')}</p>
            </Empty>
          </div>
        )}
        <More of="projects" shown={projects.length} />
      </section>
    </>
  )
}

type FilterProps = { slug: string; currencies: readonly string[]; chosen: string | null }

const Filter = ({ slug, currencies, chosen }: FilterProps) => (
  <nav className="filters" aria-label={t('Currency')}>
    {['', ...currencies].map((currency) => (
      <Link
        key={currency}
        href={projectPaths.projects(slug, { currency }).url}
        aria-current={currency === (chosen ?? '') ? 'page' : undefined}
        preserveScroll
      >
        {currency || t('All')}
      </Link>
    ))}
  </nav>
)

Projects.layout = AppLayout
