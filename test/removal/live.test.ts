import { testRemoval } from '../helpers/removal.ts'

testRemoval('live', ['accounts/members', 'settings/user-deletion'])
