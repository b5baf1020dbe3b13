import { Form, Submit } from '../../../pages/forms/form.tsx'
import { AppLayout } from '../../../pages/layouts/app.tsx'
import { Heading } from '../../../pages/shared/heading.tsx'
import { t } from '../../../pages/words/t.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { projectPaths } from '../paths.ts'
import { ProjectFields } from './project-fields.tsx'

export default function EditProject({ account, currencies, project }: PageProps<'projects/edit'>) {
  return (
    <div className="narrow">
      <Heading title={project.name}>{t('Everyone in the workspace will see the changes.')}</Heading>
      <div className="card">
        <Form to={projectPaths.updateProject(account.slug, project.id)} validatesAhead>
          <ProjectFields project={project} currencies={currencies} />
          <Submit>{t('Save')}</Submit>
        </Form>
      </div>
    </div>
  )
}

EditProject.layout = AppLayout
