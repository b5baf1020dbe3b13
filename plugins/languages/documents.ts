import type { FastifyRequest } from 'fastify'

/**
 * The document of another language has other words, and the client says which it has. Reloads of some props bring no
 * words, and often happen in the background, where a new document would take a form from under someone's hands.
 */
export const inLanguage = {
  contextOf: ({ language }: FastifyRequest) => ({ tag: language.tag }),
  isOutdated: ({ language, headers }: FastifyRequest) =>
    headers['x-language'] !== undefined &&
    headers['x-language'] !== language.tag &&
    headers['x-inertia-partial-component'] === undefined,
}
