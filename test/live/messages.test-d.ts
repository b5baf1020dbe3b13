// Never run, only type-checked: a message that nobody declared must not compile.
import { broadcastToMembers } from '../../features/accounts/index.ts'
import type { Tx } from '../../plugins/database/index.ts'

declare const tx: Tx

broadcastToMembers(tx, 1, 'members')
// @ts-expect-error a typo
broadcastToMembers(tx, 1, 'membres')
// @ts-expect-error it says by whom, and to whom
broadcastToMembers(tx, 1, 'removed')
