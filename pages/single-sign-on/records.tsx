import type { PageProps } from '../../plugins/inertia/pages.ts'
import { CopyButton } from '../shared/copy-once.tsx'
import { Time } from '../shared/time.tsx'
import { rich, t } from '../words/t.ts'

export type Domain = PageProps<'accounts/sso'>['domains'][number]

/** What to enter where the domain is managed, and what is there now. */
export const DnsRecord = ({ record, missed }: Domain) => {
  const [host = ''] = record.name.split('.')
  return (
    <>
      <table className="record">
        <tbody>
          <RecordRow label={t('Type')} text="TXT" />
          <RecordRow label={t('Name')} text={host} whole={record.name} />
          <RecordRow label={t('Value')} text={record.value} />
        </tbody>
      </table>
      <p className="record-hint">
        {rich('Some panels add the domain themselves. To those that do not, give the whole name: {name}', {
          name: <bdi dir="ltr">{record.name}</bdi>,
        })}
      </p>
      <p role="status">
        {missed === null ? (
          t('We look every 30 seconds while this page is open.')
        ) : missed.other_value === null ? (
          rich('No record is there yet. It can take an hour. Last look: {time}.', {
            time: <Time at={missed.at} relative />,
          })
        ) : (
          <strong>
            {rich('Another value is there: {value}', {
              value: <code dir="ltr">{missed.other_value}</code>,
            })}
          </strong>
        )}
      </p>
    </>
  )
}

const RecordRow = ({ label, text, whole }: { label: string; text: string; whole?: string }) => (
  <tr>
    <th scope="row">{label}</th>
    <td>
      <code dir="ltr">
        {text}
        {whole && <span className="record-rest">{whole.slice(text.length)}</span>}
      </code>
    </td>
    <td>
      <CopyButton size="small" text={text} />
    </td>
  </tr>
)
