import { router } from '@inertiajs/react'
import { maxAccountNameLength } from '../../features/bounds.ts'
import { paths } from '../../features/paths.ts'
import { NameField } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { Arch } from '../shared/arch.tsx'
import { Button } from '../shared/button.tsx'
import { t } from '../words/t.ts'
import { dismiss } from './first-steps.tsx'

/** Leads somebody who is alone to a workspace of their team, and there to the box that invites the others. */
export const TeamQuestion = () => (
  <section className="card padded team-question" aria-labelledby="team">
    <Arch lit={1} />
    <div>
      <h2 id="team">{t('What is your team called?')}</h2>
      <p>{t('You get a workspace of that name, and can invite the others right away.')}</p>
      <Form to={paths.createAccount()} onSuccess={inviteOthers}>
        <NameField label={t('Name of the team')} autoComplete="organization" maxLength={maxAccountNameLength} />
        <div className="actions">
          <Submit>{t('Create workspace')}</Submit>
          <Button look="quiet" onClick={() => dismiss('team')}>
            {t('No, thanks')}
          </Button>
        </div>
      </Form>
    </div>
  </section>
)

/** Unless nothing was created, or the session had ended. */
function inviteOthers({ component, props, flash }: { component: string; props: object; flash: { alert?: string } }) {
  const { account } = props as { account?: { slug: string } }
  if (component === 'accounts/show' && account && !flash.alert)
    router.visit(`${paths.members(account.slug).url}#invite`, { replace: true })
}
