import { Mail } from 'lucide-react'
import { paths } from '../../features/paths.ts'
import { Form, Submit } from '../forms/form.tsx'
import { Heading } from '../shared/heading.tsx'
import { Topic } from '../shared/topic.tsx'
import { rich, t } from '../words/t.ts'
import { VerifyFirst } from './verify-first.tsx'

/** For people who signed up without a password. */
export const FirstPassword = ({ email, verified }: { email: string | undefined; verified: boolean }) => (
  <>
    <Heading title={t('Password')}>
      {t("You don't have one: you sign in with a connected account or a passkey.")}
    </Heading>
    {email && !verified && <VerifyFirst email={email} />}
    {verified && (
      <Topic
        icon={Mail}
        title={t('Set a password')}
        explanation={rich(
          `We'll send a link to {email}. It works once and expires after 20 minutes. Setting a password signs you out
            everywhere.`,
          { email: <bdi>{email}</bdi> },
        )}
        action={
          <Form to={paths.mailPasswordLink()}>
            <Submit>{t('Send the link')}</Submit>
          </Form>
        }
      />
    )}
  </>
)
