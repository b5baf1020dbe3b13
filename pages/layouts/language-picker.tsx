import { router } from '@inertiajs/react'
import { use } from 'react'
import { paths } from '../../features/paths.ts'
import { GlobeIcon } from '../shared/icons.tsx'
import { Languages } from '../shared/languages.ts'
import { speech, t } from '../words/t.ts'

/** Lets guests choose the language of this browser. Nothing to choose from, nothing to see. */
export function LanguagePicker() {
  const languages = Object.entries(use(Languages))
  if (languages.length < 2) return null
  const { url, method } = paths.chooseLanguage()
  return (
    <div className="language-picker">
      <GlobeIcon />
      <select
        className="select"
        aria-label={t('Language')}
        value={speech().tag}
        onChange={({ target }) => router.visit(url, { method, data: { language: target.value } })}
      >
        {languages.map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
