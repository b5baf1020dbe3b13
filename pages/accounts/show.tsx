import { Deferred, router } from '@inertiajs/react'
import type { ReactNode } from 'react'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { AppLayout } from '../layouts/app.tsx'
import { Button } from '../shared/button.tsx'
import { Heading } from '../shared/heading.tsx'

const roles = { owner: 'Owner', admin: 'Admin', member: 'Member' }

export default function Account({ account, membership, members_count }: PageProps<'accounts/show'>) {
  return (
    <>
      <Heading title={account.name} />
      <dl className="facts">
        <Fact name="Members">
          <Deferred
            data="members_count"
            fallback={<span className="skeleton" role="status" aria-label="Counting the members" />}
            rescue={({ reloading }) => <Recount busy={reloading} />}
          >
            {members_count}
          </Deferred>
        </Fact>
        <Fact name="Your role">{roles[membership.role]}</Fact>
        <Fact name="Address">/{account.slug}</Fact>
      </dl>
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="card fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Recount = ({ busy }: { busy: boolean }) => (
  <span className="fact-failure">
    Could not be counted
    <Button size="small" disabled={busy} onClick={() => router.reload({ only: ['members_count'] })}>
      Try again
    </Button>
  </span>
)

Account.layout = AppLayout
