import { testRemoval } from '../removal.ts'

testRemoval('second-factor', ['auth/sign-in', 'passkeys/sign-in'])
