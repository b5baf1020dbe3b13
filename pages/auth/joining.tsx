/** What somebody on the way in has come for. */
export const Joining = ({ account_name }: { account_name: string }) => (
  <>
    Join <bdi>{account_name}</bdi>
  </>
)
