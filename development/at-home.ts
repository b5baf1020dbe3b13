import type { Config } from '../server/config.ts'

/** Whether providers can stand here that need no registration. Several processes would each have their own keys. */
export const isAtHome = ({ environment, origin, processes }: Config) =>
  environment === 'development' && processes === 1 && /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(origin)
