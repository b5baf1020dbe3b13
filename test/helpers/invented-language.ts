import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Words } from '../../plugins/languages/translate.ts'
import { sharedApp, startApp } from './app.ts'

/** An application that also speaks Esperanto, from right to left, so that the tests need no language that goes. */
export async function inventedLanguage(t: Test, words: Words = {}) {
  const started = await sharedApp(t, { LANGUAGES: 'en' })
  speak(started.app, words)
  return started
}

/** The same with an application of its own. */
export async function startInvented(t: Test, environment: Record<string, string>, words: Words) {
  const started = await startApp(t, { ...environment, LANGUAGES: 'en' })
  speak(started.app, words)
  return started
}

const speak = ({ languages }: FastifyInstance, words: Words) =>
  languages.set('eo', { tag: 'eo', name: 'Esperanto', dir: 'rtl', words })
