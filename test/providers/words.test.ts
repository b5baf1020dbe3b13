import t from 'tap'
import { type MethodWords, methodInWords } from '../../features/auth/methods.ts'
import { providerWords } from '../../features/providers/words.ts'
import { translateText } from '../../plugins/languages/index.ts'
import { english } from '../../plugins/languages/translate.ts'

const words: MethodWords = { first: { provider: providerWords }, second: {} }

t.test('a session says which provider it began with, by the name that the operator gave it', async (t) => {
  const said = (method: string, offered: { id: string; name: string }[] = []) => {
    const inWords = methodInWords(method, words, offered)
    return inWords && translateText(english, inWords)
  }
  t.equal(said('provider:oidc', [{ id: 'oidc', name: 'Acme ID' }]), 'with Acme ID')
  t.equal(said('provider:github'), 'with GitHub')
  t.equal(said('provider:oidc'), 'with single sign-on')
  t.equal(said('provider:github_and_magic'), undefined, 'nothing of what nobody says')
})
