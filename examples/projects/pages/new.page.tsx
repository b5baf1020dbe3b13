import { Form, Submit } from '../../../pages/forms/form.tsx'
import { AppLayout } from '../../../pages/layouts/app.tsx'
import { Heading } from '../../../pages/shared/heading.tsx'
import { t } from '../../../pages/words/t.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { projectPaths } from '../paths.ts'
import { ProjectFields } from './project-fields.tsx'

export default function NewProject({ account, currencies }: PageProps<'projects/new'>) {
  return (
    <div className="narrow">
      <Heading title={t('New project')}>{t('Everyone in the workspace will see it.')}</Heading>
      <div className="card">
        <Form to={projectPaths.createProject(account.slug)} validatesAhead>
          <ProjectFields currencies={currencies} />
          <Submit>{t('Create project')}</Submit>
        </Form>
      </div>
    </div>
  )
}

NewProject.layout = AppLayout
