import { use } from 'react'
import { SiteContext } from '../shared/site.ts'
import { rich, t } from '../words/t.ts'

export function Footer() {
  const { terms, privacy, imprint } = use(SiteContext).links
  if (!terms && !privacy && !imprint) return null
  return (
    <footer className="footer">
      {terms && <a href={terms}>{t('Terms')}</a>}
      {privacy && <a href={privacy}>{t('Privacy')}</a>}
      {imprint && <a href={imprint}>{t('Imprint')}</a>}
    </footer>
  )
}

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
