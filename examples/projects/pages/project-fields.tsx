import { Field } from '../../../pages/forms/field.tsx'
import { SelectField } from '../../../pages/forms/more-fields.tsx'
import { speech, t } from '../../../pages/words/t.ts'
import { maxNameLength } from '../bounds.ts'
import { typedMoney } from '../money.ts'
import type { ProjectProps } from '../props.ts'

type Props = { project?: ProjectProps; currencies: readonly string[] }

/** The fields of a new project, or of one that is changed. The rate is written as the server will read it. */
export const ProjectFields = ({ project, currencies }: Props) => (
  <>
    <Field
      name="name"
      label={t('Name')}
      hint={t('Up to {max} characters.', { max: maxNameLength })}
      dir="auto"
      autoComplete="off"
      defaultValue={project?.name}
      required
    />
    <Field name="client" label={t('Client')} dir="auto" autoComplete="off" defaultValue={project?.client} required />
    <Field
      name="rate"
      label={t('Hourly rate')}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={project && typedMoney(speech().tag, project.rate)}
      required
    />
    <SelectField name="currency" label={t('Currency')} defaultValue={project?.rate.currency}>
      {currencies.map((currency) => (
        <option key={currency}>{currency}</option>
      ))}
    </SelectField>
    <Field name="due_on" label={t('Due')} type="date" defaultValue={project?.due_on} required />
  </>
)
