/** The account that a guest was invited to. */
export const Joining = ({ account_name }: { account_name: string }) => (
  <>
    Join <bdi>{account_name}</bdi>
  </>
)
