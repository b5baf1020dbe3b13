/** How many queries an answer took, as its Server-Timing says. */
export const queriesOf = (response: Response) =>
  Number(/desc="(\d+) queries"/.exec(response.headers.get('server-timing') ?? '')?.[1])
