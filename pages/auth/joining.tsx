import { rich } from '../words/t.ts'
/** The account that a guest was invited to. */
export const Joining = ({ account_name }: { account_name: string }) => (
  <>{rich('Join {account_name}', { account_name: <bdi>{account_name}</bdi> })}</>
)
