import { usePresent } from '../live/hooks.ts'
import { Avatar } from '../shared/avatar.tsx'
import { Name } from '../shared/name.ts'
import { t } from '../words/t.ts'

const most = 12

export function HereNow({ channel, currentUserId }: { channel: string; currentUserId: number | undefined }) {
  const others = usePresent(channel).filter(({ user_id }) => user_id !== currentUserId)
  const shown = others.slice(0, most)

  return (
    <section className="card padded here-now" aria-labelledby="here-now">
      <h2 id="here-now">{t('Who is here')}</h2>
      {others.length === 0 ? (
        <p>{t('Nobody else at the moment.')}</p>
      ) : (
        <ul>
          {shown.map(({ user_id, name, picture }) => (
            <li key={user_id}>
              <Avatar of={user_id} name={name} picture={picture} round />
              <Name>{name}</Name>
            </li>
          ))}
          {others.length > most && <li>{t('and {count} more', { count: others.length - most })}</li>}
        </ul>
      )}
    </section>
  )
}
