import t from 'tap'
import german from '../../languages/de.ts'

t.test('an activity has its verb once, since that of the sentence stands with who did it', async (t) => {
  // Those of mails end with a full stop, and take the bare name.
  const sentences = Object.entries(german.words).filter(([english]) => /^\{actor\} .*[^.]$/.test(english))
  t.ok(sentences.length > 30)
  for (const [english, words] of sentences) t.notMatch(words, /^\{actor\} (hat|haben) /, english)
})
