import { router } from '@inertiajs/react'
import { Search } from 'lucide-react'
import { type Ref, type SubmitEvent, useEffect, useRef } from 'react'

type Options = {
  /** What the page shows, by the name of each field. */
  filters: Record<string, string>
  /** The props that are searched. */
  lists: string[]
  /** How long to wait for more typing. */
  pauseMs: number
}

/**
 * Searches while someone types, on the server, since most rows may not be loaded. Returns what its form needs: being
 * one, it also works before the script is there.
 */
export function useSearchAsTyped({ filters, lists, pauseMs }: Options) {
  const form = useRef<HTMLFormElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const shown = queryOf(Object.entries(filters))
  const asked = useRef(shown)

  const look = () => {
    clearTimeout(timer.current)
    const wanted = queryOf(form.current ? [...new FormData(form.current)] : [])
    if (wanted === asked.current) return
    asked.current = wanted
    router.get(`${location.pathname}?${wanted}`.replace(/\?$/, ''), undefined, {
      only: [...lists, 'search', 'q'], // whichever says what was searched for
      reset: lists,
      preserveState: true,
      preserveScroll: true,
      replace: true,
      showProgress: false,
      onFinish({ completed }) {
        if (!completed && asked.current === wanted) asked.current = shown // it can be tried again
      },
    })
  }
  const wait = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(look, pauseMs)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed before the script was there
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

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    look()
  }
  return { ref: form, onSubmit, onInput: wait }
}

const queryOf = (filters: [string, unknown][]) => {
  const filled = filters.map(([name, value]) => [name, String(value).trim()]).filter(([, value]) => value)
  return String(new URLSearchParams(filled))
}

type BoxProps = { label: string; placeholder?: string; value: string; ref?: Ref<HTMLInputElement> }

export const SearchBox = ({ label, placeholder = label, value, ref }: BoxProps) => (
  <label className="search-box">
    <span className="visually-hidden">{label}</span>
    <Search />
    <input
      type="search"
      name="q"
      dir="auto"
      defaultValue={value}
      placeholder={placeholder}
      autoComplete="off"
      ref={ref}
    />
  </label>
)
