import { accountChannel, useLiveReload } from '../../../pages/live/hooks.ts'
import { Empty } from '../../../pages/shared/arch.tsx'
import { ButtonLink } from '../../../pages/shared/button.tsx'
import { t } from '../../../pages/words/t.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { projectPaths } from '../paths.ts'
import { ProjectRow } from './project-row.tsx'

/** What members see first in their workspace. */
export function NextProjects({ account, next_projects = [] }: PageProps<'accounts/show'>) {
  useLiveReload(accountChannel(account.slug), { projects: ['next_projects'] })
  return (
    <section className="card" aria-labelledby="next-projects">
      {next_projects.length === 0 ? (
        <Empty>
          <h2 id="next-projects">{t('No projects yet.')}</h2>
          <ButtonLink href={projectPaths.newProject(account.slug).url}>{t('New project')}</ButtonLink>
        </Empty>
      ) : (
        <>
          <h2 id="next-projects" className="padded">
            {t('Due next')}
          </h2>
          <ul className="rows">
            {next_projects.map((project) => (
              <ProjectRow key={project.id} slug={account.slug} project={project} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
