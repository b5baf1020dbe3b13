import t from 'tap'
import { toldOwner } from '../../features/single-sign-on/policy.ts'

t.test('an owner learns why the provider is out of reach, unless that tells of our network', async (t) => {
  for (const reason of ['late', 'refused', 'tls']) {
    t.equal(toldOwner(reason, false), reason)
    t.equal(toldOwner(reason, true), 'unreachable', 'of an address that may be ours')
  }
  for (const reason of ['private_address', 'dns', 'unreachable'])
    t.equal(toldOwner(reason, false), 'unreachable', 'or it would tell which names there are inside')
  for (const allowPrivate of [true, false]) t.equal(toldOwner('it_answers_503', allowPrivate), 'it_answers_503')
})
