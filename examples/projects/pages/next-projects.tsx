import { CalendarClock } from 'lucide-react'
import { accountChannel, useLiveReload } from '../../../pages/live/hooks.ts'
import { Empty } from '../../../pages/shared/arch.tsx'
import { ButtonLink } from '../../../pages/shared/button.tsx'
import { Topic } from '../../../pages/shared/topic.tsx'
import { t } from '../../../pages/words/t.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { projectPaths } from '../paths.ts'
import { ProjectRow } from './project-row.tsx'

/** What members see first in their workspace. */
export function NextProjects({ account, next_projects = [] }: PageProps<'accounts/show'>) {
  useLiveReload(accountChannel(account.slug), { projects: ['next_projects'] })
  return (
    <Topic icon={CalendarClock} title={t('Due next')}>
      {next_projects.length === 0 ? (
        <Empty>
          <p>{t('No projects yet.')}</p>
          <ButtonLink href={projectPaths.newProject(account.slug).url}>{t('New project')}</ButtonLink>
        </Empty>
      ) : (
        <ul className="rows">
          {next_projects.map((project) => (
            <ProjectRow key={project.id} slug={account.slug} project={project} />
          ))}
        </ul>
      )}
    </Topic>
  )
}
