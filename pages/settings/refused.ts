/** The server's reason for refusing what a script asked for. */
export class Refused extends Error {}
