import { lazy } from 'react'
import { Button } from '../shared/button.tsx'
import { rich } from '../words/t.ts'
import { Opener } from './opener.tsx'
import type { Renaming } from './rename-dialog.tsx'

const load = () => import('./rename-dialog.tsx')
const RenameDialog = lazy(load)

/** A button that asks for another name. */
export const Rename = (renaming: Renaming) => (
  <Opener
    trigger={
      <Button size="small">
        {rich('Rename {what}', { what: <bdi className="visually-hidden">{renaming.name}</bdi> })}
      </Button>
    }
    opens="dialog"
    load={load}
  >
    {(trigger) => <RenameDialog trigger={trigger} {...renaming} />}
  </Opener>
)
