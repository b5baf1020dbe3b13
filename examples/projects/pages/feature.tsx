import { BellRing, CalendarClock, FolderMinus, FolderPen, FolderPlus } from 'lucide-react'
import type { Feature } from '../../../pages/feature.ts'
import { rich } from '../../../pages/words/t.ts'
import { text } from '../../../plugins/languages/text.ts'
import type { ProjectActivities } from '../activities.ts'
import { projectPaths } from '../paths.ts'
import { CalendarDay } from './calendar-day.tsx'
import { NextProjects } from './next-projects.tsx'

export const projects: Feature<keyof ProjectActivities> = {
  tab: { name: text('Projects'), path: projectPaths.projects },
  settingsTab: { name: text('Projects'), path: projectPaths.projectPreferences() },
  parts: { 'accounts/show:main': NextProjects },
  mails: {
    projects_due: text('Projects due in {place}', { place: text('a workspace') }),
    project_reminders_changed: text('Reminders by mail'),
  },
  icons: {
    project_created: FolderPlus,
    project_changed: FolderPen,
    project_deleted: FolderMinus,
    project_due: CalendarClock,
    project_reminders_changed: BellRing,
  },
  sentences: {
    project_created: ({ actor }, { details }) =>
      rich('{actor} created the project {project}', { actor, project: details.project_name }),
    project_changed: ({ actor }, { details }) =>
      rich('{actor} changed the project {project}', { actor, project: details.project_name }),
    project_deleted: ({ actor }, { details }) =>
      rich('{actor} deleted the project {project}', { actor, project: details.project_name }),
    project_due: (_, { details }) =>
      rich('The project {project} is due {day}', {
        project: details.project_name,
        day: <CalendarDay day={details.due_on} />,
      }),
    project_reminders_changed: ({ actor }, { details }) =>
      details.on
        ? rich('{actor} turned on reminders of projects', { actor })
        : rich('{actor} turned off reminders of projects', { actor }),
  },
}
