import type { SearchProps } from '../../features/accounts/props.ts'
import { Search } from '../forms/search.tsx'
import { t } from '../words/t.ts'

/** Searches members by name, address and role. */
export const MemberSearch = ({ search }: { search: SearchProps }) => (
  <Search of="members" search={search} label={t('Search by name or email')} placeholder={t('Name or email')}>
    <label>
      <span className="visually-hidden">{t('Role')}</span>
      <select className="select" name="role" defaultValue={search.role}>
        <option value="">{t('All roles')}</option>
        <option value="owner">{t('Owners')}</option>
        <option value="admin">{t('Admins')}</option>
        <option value="member">{t('Members')}</option>
      </select>
    </label>
  </Search>
)
