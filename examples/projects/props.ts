import type { InAccount } from '../../features/accounts/props.ts'
import type { Project } from './tables.ts'

type Context = { creatorName: string | null; canChange: boolean }

export type ProjectProps = ReturnType<typeof presentProject>
export const presentProject = (project: Project, { creatorName, canChange }: Context) => ({
  id: project.id,
  name: project.name,
  client: project.client,
  rate: { amount: project.rateAmount, currency: project.rateCurrency },
  due_on: project.dueOn,
  creator_name: creatorName,
  can_change: canChange,
})

declare module '../../features/accounts/props.ts' {
  interface AccountMessages {
    projects: object
  }
}

declare module '../../plugins/inertia/pages.ts' {
  interface PageParts {
    /** The next few that are due. */
    projects: { 'accounts/show': { next_projects: ProjectProps[] } }
  }
  interface Pages {
    /** In the order of their due days, page by page. Those of one currency, unless it is null. */
    'projects/index': InAccount & { projects: ProjectProps[]; currencies: readonly string[]; currency: string | null }
    'projects/new': InAccount & { currencies: readonly string[] }
    'projects/edit': InAccount & { currencies: readonly string[]; project: ProjectProps }
    /** Whether a person is reminded of projects by mail. */
    'projects/preferences': { reminders: boolean }
  }
}
