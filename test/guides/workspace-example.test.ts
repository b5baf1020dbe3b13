import t from 'tap'
import { skip } from '../browser/chromium.ts'
import { buildExample } from './word-for-word.ts'

t.test('the example of features/WORKSPACE.md, built word for word, is complete', async (t) => {
  const example = { guide: 'features/WORKSPACE.md', heading: '## Projects' }
  const tests = ['projects/projects', ...(skip ? [] : ['browser/projects'])]
  await buildExample(t, { ...example, migration: 'projects', limit: 'project_mail' }, tests)
})
