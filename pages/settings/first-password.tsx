import { Mail } from 'lucide-react'
import { paths } from '../../features/paths.ts'
import { Form, Submit } from '../forms/form.tsx'
import { Heading } from '../shared/heading.tsx'
import { VerifyFirst } from './verify-first.tsx'

/** For people who signed up without a password. */
export const FirstPassword = ({ email, verified }: { email: string | undefined; verified: boolean }) => (
  <>
    <Heading title="Password">You have none: you sign in with a connected account or a passkey.</Heading>
    {email && !verified && <VerifyFirst email={email} />}
    {verified && (
      <section className="card row">
        <Mail className="row-icon" aria-hidden="true" />
        <div className="row-text">
          <h2>Set a password</h2>
          <span>
            We send a link to <bdi>{email}</bdi>. It works once and for 20 minutes. Setting a password signs you out
            everywhere.
          </span>
        </div>
        <Form to={paths.mailPasswordLink()}>
          <Submit>Send the link</Submit>
        </Form>
      </section>
    )}
  </>
)
