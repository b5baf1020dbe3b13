import { testRemoval } from '../removal.ts'

testRemoval('activity', ['accounts/accounts', 'settings/export'])
