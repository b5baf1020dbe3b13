import { router } from '@inertiajs/react'
import { Search } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef } from 'react'
import type { SearchProps } from '../../features/accounts/props.ts'
import { t } from '../words/t.ts'

const pauseMs = 250 // to wait for more typing

type Props = {
  search: SearchProps
  isManager: boolean
  /** Other filters than the text would say nothing about invitations. */
  isAboutMembers: boolean
}

/**
 * Searches members, and for managers invitations, while someone types. Runs on the server, since most rows may not be
 * loaded. A form, so it also works before the script is there.
 */
export function MemberSearch({ search, isManager, isAboutMembers }: Props) {
  const { q, role, second_factor } = search
  const filters = { q, role, second_factor }
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
      only: ['members', 'invitations', 'search'],
      reset: ['members', 'invitations'],
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

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    look()
  }
  return (
    <search className="list-search">
      <form ref={form} onSubmit={submit} onInput={wait}>
        <label className="search-box">
          <span className="visually-hidden">{t('Search by name or email')}</span>
          <Search aria-hidden="true" />
          <input
            type="search"
            name="q"
            dir="auto"
            defaultValue={filters.q}
            placeholder={t('Name or email')}
            autoComplete="off"
          />
        </label>
        <select
          className="select"
          name="role"
          hidden={!isAboutMembers}
          aria-label={t('Role')}
          defaultValue={filters.role}
        >
          <option value="">{t('All roles')}</option>
          <option value="owner">{t('Owners')}</option>
          <option value="admin">{t('Admins')}</option>
          <option value="member">{t('Members')}</option>
        </select>
        {isManager && (
          <select
            className="select"
            name="second_factor"
            hidden={!isAboutMembers}
            aria-label={t('Second factor')}
            defaultValue={filters.second_factor}
          >
            <option value="">{t('With and without second factor')}</option>
            <option value="yes">{t('With second factor')}</option>
            <option value="no">{t('Without second factor')}</option>
          </select>
        )}
      </form>
    </search>
  )
}

const queryOf = (filters: [string, unknown][]) => {
  const given = filters.map(([name, value]) => [name, String(value).trim()]).filter(([, value]) => value)
  return String(new URLSearchParams(given))
}
