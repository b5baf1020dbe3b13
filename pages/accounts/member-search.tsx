import type { SearchProps } from '../../features/accounts/props.ts'
import { useHasSecondFactors } from '../parts/parts.tsx'
import { SearchBox, useSearchAsTyped } from '../shared/search.tsx'
import { t } from '../words/t.ts'

type Props = {
  search: SearchProps
  isManager: boolean
  /** Other filters than the text would say nothing about invitations. */
  isAboutMembers: boolean
}

/** Searches members, and for managers invitations. */
export function MemberSearch({ search, isManager, isAboutMembers }: Props) {
  const { q, role, second_factor, sort = '' } = search
  const filters = { q, role, second_factor, sort }
  const hasFactors = useHasSecondFactors()
  const form = useSearchAsTyped({ filters, lists: ['members', 'invitations'], pauseMs: 250 })

  return (
    <search className="list-search">
      <form {...form}>
        <SearchBox label={t('Search by name or email')} placeholder={t('Name or email')} value={q} />
        <Filter name="role" label={t('Role')} value={role} isShown={isAboutMembers} options={roles()} />
        {hasFactors && isManager && (
          <Filter
            name="second_factor"
            label={t('Second factor')}
            value={second_factor}
            isShown={isAboutMembers}
            options={factors()}
          />
        )}
        <Filter name="sort" label={t('Order')} value={sort} isShown={isAboutMembers} options={orders(isManager)} />
      </form>
    </search>
  )
}

type FilterProps = { name: string; label: string; value: string; isShown: boolean; options: Record<string, string> }

const Filter = ({ name, label, value, isShown, options }: FilterProps) => (
  <select className="select" name={name} hidden={!isShown} aria-label={label} defaultValue={value}>
    {Object.entries(options).map(([option, words]) => (
      <option key={option} value={option}>
        {words}
      </option>
    ))}
  </select>
)

const roles = () => ({ '': t('All roles'), owner: t('Owners'), admin: t('Admins'), member: t('Members') })
const factors = () => ({
  '': t('Second factor: any'),
  yes: t('Second factor: yes'),
  no: t('Second factor: no'),
})
const orders = (isManager: boolean) => ({
  '': t('By joining'),
  name: t('By name'),
  ...(isManager && { seen: t('By last activity') }),
})
