import t from 'tap'
import { asciiAddress } from '../../pages/forms/ascii-address.ts'

t.test('the domain of an address becomes ASCII, as in the email fields of Chromium', async (t) => {
  for (const [typed, sent] of [
    ['a@bücher.example', 'a@xn--bcher-kva.example'],
    ['A@Bücher.Example', 'A@xn--bcher-kva.example'],
    ['a@例え。テスト', 'a@xn--r8jz45g.xn--zckzah'],
  ] as const) {
    t.equal(asciiAddress(typed), sent)
  }
})

t.test('whatever else was typed stays, so that the server can judge it', async (t) => {
  for (const typed of ['', 'a@', '@bücher.example', 'A@Example.com', 'a@1', 'ä@example.com', 'a@b@bücher.example']) {
    t.equal(asciiAddress(typed), typed)
  }
  for (const domain of ['bücher.example:80', 'bücher.example/a', 'bü cher.example', 'b%41ü.example', 'xn--ü.example']) {
    t.equal(asciiAddress(`a@${domain}`), `a@${domain}`)
  }
})
