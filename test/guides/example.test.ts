import t from 'tap'
import { buildExample } from './word-for-word.ts'

t.test('the example of features/README.md, built word for word, is complete', async (t) => {
  const example = { guide: 'features/README.md', heading: '## A complete feature' }
  await buildExample(t, { ...example, migration: 'notes', limit: 'note_addition' }, ['notes/notes'])
})
