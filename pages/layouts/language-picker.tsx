import { router } from '@inertiajs/react'
import { use } from 'react'
import { paths } from '../../features/paths.ts'
import { LanguageMenu } from '../shared/language-menu.tsx'
import { SiteContext } from '../shared/site.ts'
import { speech } from '../words/t.ts'

export function LanguagePicker() {
  const { languages } = use(SiteContext)
  const { url, method } = paths.chooseLanguage()
  if (Object.keys(languages).length < 2) return null
  return (
    <LanguageMenu
      languages={languages}
      chosen={speech().tag}
      onChoose={(language) => router.visit(url, { method, data: { language } })}
    />
  )
}
