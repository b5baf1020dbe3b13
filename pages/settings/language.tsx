import { router } from '@inertiajs/react'
import { use } from 'react'
import { paths } from '../../features/paths.ts'
import { SelectField } from '../forms/select-field.tsx'
import { Languages } from '../shared/languages.ts'
import { t } from '../words/t.ts'

/** The language of pages and mails. */
export function Language({ chosen }: { chosen: string | null }) {
  const languages = Object.entries(use(Languages))
  if (languages.length < 2) return null
  const { url, method } = paths.changeAppearance()
  return (
    <section className="card language">
      <SelectField
        name="language"
        label={t('Language')}
        hint={t('For these pages and for the emails you get.')}
        value={chosen ?? ''}
        onChange={({ target }) => router.visit(url, { method, data: { language: target.value || null } })}
      >
        <option value="">{t('Same as your browser')}</option>
        {languages.map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </SelectField>
    </section>
  )
}
