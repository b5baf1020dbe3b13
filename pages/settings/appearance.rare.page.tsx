import { router } from '@inertiajs/react'
import { use } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { useHydrated } from '../hooks/store.ts'
import { type Theme, useTheme } from '../hooks/theme.ts'
import { settingsLayouts } from '../layouts/settings.tsx'
import { Heading } from '../shared/heading.tsx'
import { LanguageMenu } from '../shared/language-menu.tsx'
import { SiteContext } from '../shared/site.ts'
import { themes } from '../shared/themes.ts'
import { t } from '../words/t.ts'

export default function Appearance({ language }: PageProps<'settings/appearance'>) {
  const [theme, choose] = useTheme()
  const isHydrated = useHydrated() // the server does not know this browser's choice

  return (
    <>
      <Heading title={t('Appearance')}>{t('How everything looks in this browser.')}</Heading>
      <fieldset className="looks">
        <legend className="visually-hidden">{t('Theme')}</legend>
        {themes.map(({ value, name, meaning }) => (
          <label key={value} className="card look">
            <input type="radio" name="theme" checked={isHydrated && theme === value} onChange={() => choose(value)} />
            <Preview theme={value} />
            <span className="look-name">{t(name)}</span>
            <span className="look-meaning">{t(meaning)}</span>
          </label>
        ))}
      </fieldset>
      <Language chosen={language} />
    </>
  )
}

function Language({ chosen }: { chosen: string | null }) {
  const { languages } = use(SiteContext)
  const { url, method } = paths.changeAppearance()
  if (Object.keys(languages).length < 2) return null
  return (
    <section className="card padded">
      <h2>{t('Language')}</h2>
      <p className="field-hint">{t('For these pages and for the emails you get.')}</p>
      <LanguageMenu
        languages={{ '': t('Same as your browser'), ...languages }}
        chosen={chosen ?? ''}
        onChoose={(language) => router.visit(url, { method, data: { language: language || null } })}
      />
    </section>
  )
}

// Drawn with the actual colours of each theme. The system's preview shows half of each.
const Preview = ({ theme }: { theme: Theme }) => (
  <svg className="look-preview" viewBox="0 0 200 120" aria-hidden="true">
    <Window theme={theme === 'dark' ? 'dark' : 'light'} />
    {theme === 'system' && <Window theme="dark" half />}
  </svg>
)

const Window = ({ theme, half = false }: { theme: Theme; half?: boolean }) => (
  <g className="look-window" data-theme={theme} data-half={half}>
    <rect fill="var(--canvas)" width="200" height="120" />
    <rect fill="var(--surface)" width="200" height="24" />
    <path stroke="var(--line)" d="M0 24.5h200" />
    <path fill="var(--accent)" d="M14 18v-6a4 4 0 0 1 8 0v6z" />
    <rect fill="var(--edge)" x="29" y="10" width="30" height="4" rx="2" />
    <circle fill="var(--edge)" cx="184" cy="12" r="5" />
    <rect fill="var(--ink)" x="24" y="42" width="58" height="8" rx="4" />
    <rect fill="var(--edge)" x="24" y="58" width="92" height="4" rx="2" />
    <rect fill="var(--surface)" stroke="var(--line)" x="24.5" y="74.5" width="151" height="60" rx="6" />
    <rect fill="var(--edge)" x="36" y="87" width="50" height="4" rx="2" />
    <rect fill="var(--accent)" x="132" y="84" width="32" height="12" rx="4" />
  </g>
)

Appearance.layout = settingsLayouts
