import { router } from '@inertiajs/react'
import { Check } from 'lucide-react'
import { useEffect } from 'react'
import type { Path } from '../../features/paths.ts'
import type { Flash } from '../../plugins/inertia/pages.ts'
import { Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { Ask } from '../popups/dialog.tsx'
import { SmallButton } from '../shared/button.tsx'
import { Day } from '../shared/time.tsx'
import { take } from '../visits/flashes.ts'
import { rich, t } from '../words/t.ts'
import { DnsRecord, type Domain } from './records.tsx'
import { Step } from './step.tsx'
import { asDomain } from './understood.ts'

type Props = {
  domains: Domain[]
  suggestion?: string | null
  to: { add: Path; look: Path; verify(id: number): Path; remove?(id: number): Path }
}

const everyMs = 30_000

export const isVerified = ({ verified_at }: Domain) => verified_at !== null

export function Domains({ domains, suggestion, to }: Props) {
  const verified = domains.filter(isVerified)
  const open = domains.filter((domain) => !isVerified(domain))
  const shown = verified.length === 0 && (open[0]?.domain ?? suggestion) // else the summary has them
  useLooks(to.look, open.length > 0)

  return (
    <Step
      number={1}
      title={
        shown
          ? t('Step 1 of 3: show that {domain} is yours', { domain: shown })
          : t('Step 1 of 3: show that a domain is yours')
      }
      state={verified.length > 0 ? 'done' : 'now'}
      waits={open.length > 0}
      summary={verified.length > 0 && <bdi dir="ltr">{verified.map(({ domain }) => domain).join(', ')}</bdi>}
    >
      <p>
        {t(
          'Whoever has an address at a verified domain can sign in with your provider. A record in the DNS proves it.',
        )}
      </p>
      <ul className="domains">
        {open.map((domain, index) => (
          <li key={domain.id}>
            <h3 id={headingOf(domain)} tabIndex={-1} dir="ltr">
              {domain.domain}
            </h3>
            <p>{t('Add this record where the domain is managed:')}</p>
            <DnsRecord {...domain} />
            <div className="row-actions">
              <CheckNow to={to.verify(domain.id)} look={index === 0 ? 'primary' : 'secondary'} />
              {to.remove && <Remove to={to.remove(domain.id)} {...domain} />}
            </div>
          </li>
        ))}
        {verified.map((domain) => (
          <li key={domain.id} className="domain-verified">
            <Check className="row-icon" />
            <div className="row-text">
              <strong>
                <bdi dir="ltr">{domain.domain}</bdi>
              </strong>
              <span>{rich('Verified {day}. Keep the record.', { day: <Day at={domain.verified_at ?? ''} /> })}</span>
            </div>
            {to.remove && <Remove to={to.remove(domain.id)} {...domain} />}
          </li>
        ))}
      </ul>
      <Form to={to.add} onSuccess={focusNewest}>
        <Field
          name="domain"
          label={domains.length > 0 ? t('Another domain') : t('Domain')}
          placeholder="example.com"
          defaultValue={suggestion ?? undefined}
          {...asDomain}
          required
          sentences={{ [t('is invalid')]: () => t('Enter a domain, such as example.com.') }}
        />
        <Submit look={domains.length > 0 ? 'secondary' : 'primary'}>{t('Add domain')}</Submit>
      </Form>
    </Step>
  )
}

const headingOf = ({ id }: Pick<Domain, 'id'>) => `domain-${id}`

/** Its record is what comes next. Left on the button, the focus would be below it. */
function focusNewest({ props, flash }: { props: object; flash: Flash }) {
  const { domains } = props as Partial<Pick<Props, 'domains'>>
  if (flash.alert || !domains) return // refused, or another page, as after the end of the session
  const id = Math.max(...domains.map((domain) => domain.id))
  document.getElementById(headingOf({ id }))?.focus()
}

/** Looks for the records now and then, so that the page turns green by itself. */
function useLooks({ url }: Path, isOpen: boolean) {
  useEffect(() => {
    if (!isOpen) return
    const look = () => {
      if (document.visibilityState !== 'visible') return
      router.post(url, {}, { ...inBackground, only: ['domains', 'suggestion'] })
    }
    const timer = setInterval(look, everyMs)
    return () => clearInterval(timer)
  }, [url, isOpen])
}

const stay = { preserveScroll: true, preserveState: true }

// Nobody asked for it, so it ends no other request, keeps no session alive, and its failures are not reported.
const inBackground = {
  ...stay,
  async: true,
  showProgress: false,
  headers: { 'x-unattended': 'true' },
  onHttpException: () => false as const,
  onNetworkError: () => false as const,
}

const CheckNow = ({ to: { url }, look }: { to: Path; look: 'primary' | 'secondary' }) => (
  <SmallButton look={look} onClick={() => router.post(url, {}, { ...stay, onSuccess: leaveToRow })}>
    {t('Check now')}
  </SmallButton>
)

/** The row says what was found, and an alert above it would move the button away. */
function leaveToRow({ flash }: { flash: Flash }) {
  if (flash.alert === t("The record isn't there yet. It can take an hour")) take('alert')
}

const Remove = ({ to: { url }, domain }: Domain & { to: Path }) => (
  <Ask
    trigger={<SmallButton aria-label={t('Remove {domain}', { domain })}>{t('Remove')}</SmallButton>}
    title={t('Remove {domain}?', { domain })}
    explanation={t('People with an address there can no longer use your single sign-on.')}
    action={t('Remove')}
    onConfirm={() => router.delete(url, stay)}
  />
)
