import { router } from '@inertiajs/react'
import { Globe } from 'lucide-react'
import { singleSignOnPaths } from '../../features/single-sign-on/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Copyable } from '../accounts/copyable.tsx'
import { asTyped, Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { Ask } from '../popups/dialog.tsx'
import { SmallButton } from '../shared/button.tsx'
import { Day } from '../shared/time.tsx'
import { Topic } from '../shared/topic.tsx'
import { rich, t } from '../words/t.ts'

type Props = Pick<PageProps<'accounts/sso'>, 'account' | 'domains'>
type Domain = Props['domains'][number]

const stay = { preserveScroll: true }

export function Domains({ account, domains }: Props) {
  return (
    <Topic
      icon={Globe}
      title={t('Domains')}
      explanation={t(
        'Whoever has an address at a verified domain can sign in with your provider. A record in the DNS proves it.',
      )}
    >
      <ul>
        {domains.map((domain) => (
          <li key={domain.id} className="row row-plain">
            <div className="row-text">
              <strong dir="ltr">{domain.domain}</strong>
              <State {...domain} />
            </div>
            <Actions slug={account.slug} {...domain} />
          </li>
        ))}
      </ul>
      <div className="padded">
        <Form to={singleSignOnPaths.addDomain(account.slug)}>
          <Field name="domain" label={t('Domain')} placeholder="example.com" {...asTyped} required />
          <Submit look="primary">{t('Add domain')}</Submit>
        </Form>
      </div>
    </Topic>
  )
}

function State({ verified_at, record }: Domain) {
  if (verified_at) return <span>{rich('Verified {day}. Keep the record.', { day: <Day at={verified_at} /> })}</span>
  return (
    <>
      <span>{t('Not verified yet. Add this TXT record where the domain is managed, then look for it.')}</span>
      <Copyable label={t('Name')} text={record.name} />
      <Copyable label={t('Value')} text={record.value} />
    </>
  )
}

const Actions = ({ slug, id, domain, verified_at }: Domain & { slug: string }) => (
  <div className="row-actions">
    {!verified_at && (
      <SmallButton look="primary" onClick={() => router.post(singleSignOnPaths.verifyDomain(slug, id).url, {}, stay)}>
        {t('Look for the record')}
      </SmallButton>
    )}
    <Ask
      trigger={<SmallButton aria-label={t('Remove {domain}', { domain })}>{t('Remove')}</SmallButton>}
      title={t('Remove {domain}?', { domain })}
      explanation={t('People with an address there can no longer use your single sign-on.')}
      action={t('Remove')}
      onConfirm={() => router.delete(singleSignOnPaths.removeDomain(slug, id).url, stay)}
    />
  </div>
)
