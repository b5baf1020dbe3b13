import { usePage } from '@inertiajs/react'
import { use } from 'react'
import { SiteContext } from '../shared/site.ts'
import { rich, t } from '../words/t.ts'

export function Footer() {
  const { terms, privacy, imprint, support } = use(SiteContext).links
  if (!terms && !privacy && !imprint && !support) return null
  return (
    <footer className="footer">
      {terms && <a href={terms}>{t('Terms')}</a>}
      {privacy && <a href={privacy}>{t('Privacy')}</a>}
      {imprint && <a href={imprint}>{t('Imprint')}</a>}
      {support && <a href={support}>{t('Support')}</a>}
    </footer>
  )
}

/** For those who can't go on alone. */
export function SupportLink() {
  const { support } = use(SiteContext).links
  return support ? (
    <a className="link" href={support}>
      {t('Contact support')}
    </a>
  ) : null
}

/** In whatever shows the page's alert, where nothing that one can do ends it. */
export const SupportAfterAlert = () => usePage().flash.alert === t('Your account is suspended') && <SupportLink />

export function Agreement() {
  const { terms, privacy } = use(SiteContext).links
  const ofTerms = terms && <a href={terms}>{t('Terms')}</a>
  const ofPrivacy = privacy && <a href={privacy}>{t('Privacy')}</a>
  if (!ofTerms) return null
  return (
    <p className="agreement">
      {ofPrivacy
        ? rich('By signing up, you agree to the {terms}. How your data is handled: {privacy}', {
            terms: ofTerms,
            privacy: ofPrivacy,
          })
        : rich('By signing up, you agree to the {terms}.', { terms: ofTerms })}
    </p>
  )
}
