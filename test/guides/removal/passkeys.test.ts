import { testRemoval } from '../removal.ts'

testRemoval('passkeys', ['auth/sign-in', 'second-factor/setup'])
