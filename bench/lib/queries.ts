/** The number of queries behind a response, from its Server-Timing. */
export const queriesOf = (response: Response) =>
  Number(/desc="(\d+) queries"/.exec(response.headers.get('server-timing') ?? '')?.[1])
