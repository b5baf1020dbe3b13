import { Form, Submit } from '../../../pages/forms/form.tsx'
import { SelectField } from '../../../pages/forms/more-fields.tsx'
import { settingsLayouts } from '../../../pages/layouts/settings.tsx'
import { Heading } from '../../../pages/shared/heading.tsx'
import { t } from '../../../pages/words/t.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { projectPaths } from '../paths.ts'

export default function ProjectPreferences({ reminders }: PageProps<'projects/preferences'>) {
  return (
    <>
      <Heading title={t('Projects')}>{t('What we tell you about projects that you created.')}</Heading>
      <div className="card">
        <Form to={projectPaths.changeProjectPreferences()}>
          <SelectField name="reminders" label={t('Reminders by mail')} defaultValue={reminders ? 'on' : 'off'}>
            <option value="on">{t('The day before a project is due')}</option>
            <option value="off">{t('Never')}</option>
          </SelectField>
          <Submit>{t('Save')}</Submit>
        </Form>
      </div>
    </>
  )
}

ProjectPreferences.layout = settingsLayouts
