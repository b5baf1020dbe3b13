import { router } from '@inertiajs/react'
import { type KeyboardEvent, use, useEffect, useRef } from 'react'
import { paths } from '../../features/paths.ts'
import { speech, t } from '../words/t.ts'
import { Icon } from './icon.tsx'
import { SiteContext } from './site.ts'

type Props = { languages: Record<string, string>; chosen: string; onChoose(tag: string): void }

/** A menu, because a select would change the language at the first arrow key. It opens before the script is there. */
export function LanguageMenu({ languages, chosen, onChoose }: Props) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => menu.current?.removeAttribute('open')
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape') return
    close()
    menu.current?.querySelector('summary')?.focus()
  }
  useEffect(() => {
    const leave = ({ target }: Event) => menu.current?.contains(target as Node) || menu.current?.removeAttribute('open')
    for (const type of ['click', 'focusin']) document.addEventListener(type, leave)
    return () => {
      for (const type of ['click', 'focusin']) document.removeEventListener(type, leave)
    }
  }, [])

  return (
    <details className="language-menu" ref={menu} onKeyDown={onKeyDown}>
      <summary className="button button-quiet">
        <Icon name="globe" />
        <span className="visually-hidden">{t('Language')}: </span>
        <span className="language-name">{languages[chosen]}</span>
      </summary>
      <ul className="menu">
        {Object.entries(languages).map(([tag, name]) => (
          <li key={tag}>
            <button
              type="button"
              className="menu-item"
              lang={tag || undefined}
              aria-current={tag === chosen || undefined}
              onClick={() => {
                close()
                if (tag !== chosen) onChoose(tag)
              }}
            >
              <span className="menu-text">{name}</span>
              {tag === chosen && <Icon name="check" className="menu-check" />}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

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
