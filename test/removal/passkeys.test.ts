import { testRemoval } from '../helpers/removal.ts'

testRemoval('passkeys', ['auth/sign-in', 'second-factor/setup'])
