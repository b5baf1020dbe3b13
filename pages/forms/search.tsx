import { router } from '@inertiajs/react'
import { Search as Icon } from 'lucide-react'
import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react'

const pause = 250 // milliseconds to wait for more typing

type Props = {
  /** The prop with the list. What is searched for comes as the prop `search`. */
  of: string
  /** The filters by their names in the URL, among which is `q`. */
  search: { q: string; [name: string]: string | number }
  label: string
  placeholder: string
  /** Fields for the other filters. */
  children?: ReactNode
}

/**
 * Searches a list while someone types. Runs on the server, since most rows may not be loaded. A form, so it also works
 * before the script is there.
 */
export function Search({ of, search, label, placeholder, children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const shown = queryOf(Object.entries(search).filter(([, value]) => typeof value === 'string'))
  const asked = useRef(shown)

  const look = () => {
    clearTimeout(timer.current)
    const wanted = queryOf(form.current ? [...new FormData(form.current)] : [])
    if (wanted === asked.current) return
    asked.current = wanted
    router.get(`${location.pathname}?${wanted}`.replace(/\?$/, ''), undefined, {
      only: [of, 'search'],
      reset: [of],
      preserveState: true,
      preserveScroll: true,
      replace: true,
      showProgress: false,
      onFinish({ completed }) {
        if (!completed && asked.current === wanted) asked.current = shown // it can be tried again
      },
    })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what came before the script
  useEffect(() => {
    wait() // a visit from here would race with the first page, which may then keep its URL
    return () => clearTimeout(timer.current)
  }, [])

  // After a change, the whole list is shown again.
  useEffect(() => {
    if (shown === asked.current) return
    asked.current = shown
    const values = new URLSearchParams(shown)
    for (const field of form.current?.querySelectorAll<HTMLInputElement>('[name]') ?? [])
      field.value = values.get(field.name) ?? ''
  }, [shown])

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    look()
  }
  const wait = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(look, pause)
  }

  return (
    <search className="list-search">
      <form ref={form} onSubmit={submit} onInput={wait}>
        <label className="search-box">
          <span className="visually-hidden">{label}</span>
          <Icon aria-hidden="true" />
          <input type="search" name="q" defaultValue={search.q} placeholder={placeholder} autoComplete="off" />
        </label>
        {children}
      </form>
    </search>
  )
}

/** Without what is empty. */
const queryOf = (filters: [string, unknown][]) => {
  const given = filters.map(([name, value]) => [name, String(value).trim()]).filter(([, value]) => value)
  return String(new URLSearchParams(given))
}
