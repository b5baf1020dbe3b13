import { router } from '@inertiajs/react'
import { use, useId } from 'react'
import { paths } from '../../features/paths.ts'
import { Languages } from '../shared/languages.ts'
import { t } from '../words/t.ts'

/** The language of pages and mails. */
export function Language({ chosen }: { chosen: string | null }) {
  const id = useId()
  const languages = Object.entries(use(Languages))
  if (languages.length < 2) return null
  const { url, method } = paths.changeAppearance()
  return (
    <section className="card language">
      <div className="field">
        <label htmlFor={id}>{t('Language')}</label>
        <select
          id={id}
          className="select"
          aria-describedby={`${id}-hint`}
          value={chosen ?? ''}
          onChange={({ target }) => router.visit(url, { method, data: { language: target.value || null } })}
        >
          <option value="">{t('Like your browser')}</option>
          {languages.map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
        <div className="field-hint" id={`${id}-hint`}>
          {t('For the pages here, and for the mails that you get.')}
        </div>
      </div>
    </section>
  )
}
