import { router } from '@inertiajs/react'
import { Folder } from 'lucide-react'
import { Ask } from '../../../pages/popups/dialog.tsx'
import { Button, ButtonLink } from '../../../pages/shared/button.tsx'
import { focusInstead } from '../../../pages/shared/focus.ts'
import { Name } from '../../../pages/shared/name.ts'
import { rich, speech, t } from '../../../pages/words/t.ts'
import { formatMoney } from '../money.ts'
import { projectPaths } from '../paths.ts'
import type { ProjectProps } from '../props.ts'
import { CalendarDay } from './calendar-day.tsx'

export const ProjectRow = ({ slug, project }: { slug: string; project: ProjectProps }) => (
  <li className="row" id={rowOf(project)} data-row tabIndex={-1}>
    <Folder className="row-icon" aria-hidden="true" />
    <div className="row-text">
      <strong>
        <Name>{project.name}</Name>
      </strong>
      <span>
        {rich('For {client} at {rate} an hour, due {day}', {
          client: project.client,
          rate: formatMoney(speech().tag, project.rate),
          day: <CalendarDay day={project.due_on} />,
        })}
      </span>
      {project.creator_name && <span>{rich('Created by {name}', { name: project.creator_name })}</span>}
    </div>
    {project.can_change && <Actions slug={slug} project={project} />}
  </li>
)

const Actions = ({ slug, project }: { slug: string; project: ProjectProps }) => (
  <div className="row-actions">
    <ButtonLink size="small" href={projectPaths.editProject(slug, project.id).url}>
      {rich('Edit {what}', { what: <bdi className="visually-hidden">{project.name}</bdi> })}
    </ButtonLink>
    <Ask
      trigger={
        <Button size="small">
          {rich('Delete {what}', { what: <bdi className="visually-hidden">{project.name}</bdi> })}
        </Button>
      }
      title={rich('Delete {name}?', { name: project.name })}
      explanation={t('The project is deleted for everyone in the workspace.')}
      action={t('Delete project')}
      onConfirm={() => remove(slug, project)}
    />
  </div>
)

const rowOf = ({ id }: ProjectProps) => `project-${id}`

function remove(slug: string, project: ProjectProps) {
  const focusNeighbour = focusInstead(document.getElementById(rowOf(project)))
  router.delete(projectPaths.deleteProject(slug, project.id).url, {
    preserveScroll: true,
    onSuccess: ({ flash }) => flash.alert || focusNeighbour(),
  })
}
