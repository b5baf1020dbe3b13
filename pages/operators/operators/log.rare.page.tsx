import { Link } from '@inertiajs/react'
import { operatorPaths } from '../../../features/operators/paths.ts'
import type { LogEntry } from '../../../features/operators/props.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { type Text, text } from '../../../plugins/languages/text.ts'
import { Heading } from '../../shared/heading.tsx'
import { More } from '../../shared/more.tsx'
import { Time } from '../../shared/time.tsx'
import { rich, t } from '../../words/t.ts'
import { OperatorLayout } from '../layout.tsx'
import { Row, Rows } from '../rows.tsx'

const actions: Record<LogEntry['action'], Text> = {
  users_listed: text('listed users'),
  users_searched: text('searched users'),
  user_viewed: text('looked at a user'),
  reset_link_sent: text('sent a reset link'),
  verification_sent: text('sent a verification'),
  pause_lifted: text('lifted a pause'),
  sessions_ended: text('ended sessions'),
  second_factor_removed: text('removed a second factor'),
  user_suspended: text('suspended a user'),
  user_unsuspended: text('lifted a suspension'),
  user_deleted: text('deleted a user'),
  operator_granted: text('made somebody an operator'),
  operator_revoked: text('ended an operator'),
  accounts_listed: text('listed workspaces'),
  accounts_searched: text('searched workspaces'),
  account_viewed: text('looked at a workspace'),
  owner_added: text('made somebody an owner'),
  sso_requirement_lifted: text('stopped requiring single sign-on'),
  jobs_listed: text('listed jobs'),
  jobs_retried: text('queued jobs again'),
  job_run: text('ran a scheduled job'),
}

export default function Log({ log }: PageProps<'operators/log'>) {
  return (
    <>
      <Heading title={t('Log')}>
        {t('What operators looked at, searched and did, here and on the command line. Nobody can change it here.')}
      </Heading>
      {log.length === 0 && <p className="card padded">{t('Nothing yet.')}</p>}
      {log.length > 0 && <Rows>{log.map(toEntry)}</Rows>}
      <More of="log" shown={log.length} />
    </>
  )
}

function toEntry({ operator, action, user_id, account_id, ip_address, created_at }: LogEntry, index: number) {
  const words: Text | undefined = actions[action] // one that this build does not know stands for itself
  const { id } = operator
  const name = id === null ? t('Command line') : (operator.name ?? t('Deleted operator {id}', { id }))
  return (
    <Row
      key={index} // rows are only added behind these
      text={<p>{rich('{operator}: {action}', { operator: name, action: <>{words ? t(words) : action}</> })}</p>}
    >
      {user_id !== null && <Link href={operatorPaths.user(user_id).url}>{t('User {id}', { id: user_id })}</Link>}
      {account_id !== null && (
        <Link href={operatorPaths.account(account_id).url}>{t('Workspace {id}', { id: account_id })}</Link>
      )}
      {ip_address !== null && <bdi>{ip_address}</bdi>}
      <Time at={created_at} />
    </Row>
  )
}

Log.layout = [OperatorLayout]
