import { router } from '@inertiajs/react'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { SearchProps } from '../../features/accounts/props.ts'
import { type Role, roleNames } from '../words/roles.ts'
import { t } from '../words/t.ts'

const pause = 250 // milliseconds to wait for more typing

/** Searches members by name, address and role. Runs on the server, since most members may not be loaded. */
export function MemberSearch({ search }: { search: SearchProps }) {
  const [q, setQ] = useState(search.q)
  const [role, setRole] = useState(search.role)
  const asked = useRef(`${search.q} ${search.role}`)
  const form = useRef<HTMLElement>(null)

  // what was typed or chosen before the script was there
  useEffect(() => {
    setQ(form.current?.querySelector('input')?.value ?? '')
    setRole(roleIn(form.current?.querySelector('select')?.value))
  }, [])

  useEffect(() => {
    const wanted = `${q} ${role}`
    if (wanted === asked.current) return
    const timer = setTimeout(() => {
      asked.current = wanted
      look({ q: q.trim(), role })
    }, pause)
    return () => clearTimeout(timer)
  }, [q, role])

  return (
    <search className="member-search" ref={form}>
      <label className="search-box">
        <span className="visually-hidden">{t('Search by name or email')}</span>
        <Search aria-hidden="true" />
        <input
          type="search"
          value={q}
          placeholder={t('Name or email')}
          autoComplete="off"
          onInput={({ currentTarget: { value } }) => setQ(value)}
        />
      </label>
      <label>
        <span className="visually-hidden">{t('Role')}</span>
        <select className="select" value={role} onChange={({ currentTarget: { value } }) => setRole(roleIn(value))}>
          <option value="">{t('All roles')}</option>
          <option value="owner">{t('Owners')}</option>
          <option value="admin">{t('Admins')}</option>
          <option value="member">{t('Members')}</option>
        </select>
      </label>
    </search>
  )
}

const roleIn = (value = '') => (value in roleNames ? (value as Role) : '')

function look({ q, role }: { q: string; role: string }) {
  const data = Object.fromEntries(Object.entries({ q, role }).filter(([, value]) => value))
  router.get(location.pathname, data, {
    only: ['members', 'search'],
    reset: ['members'],
    preserveState: true,
    preserveScroll: true,
    replace: true,
    showProgress: false,
  })
}
