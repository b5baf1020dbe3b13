import t from 'tap'
import { mentionsOf } from '../../development/mentions.ts'

t.test('functions and triggers that mention what is dropped are named, but for those that are gone', async (t) => {
  const migrations = [
    'CREATE FUNCTION "one"() RETURNS trigger AS $$ delete from hooks $$;\n--> statement-breakpoint\n-- Why.\nCREATE TRIGGER two ON hooks;',
    'CREATE OR REPLACE FUNCTION three() AS $$ select secret from users $$;',
    'DROP TRIGGER two ON hooks;',
  ]
  t.same(mentionsOf(['hooks'], migrations), ['function one'])
  t.same(mentionsOf(['secret', 'hooks'], migrations), ['function one', 'function three'])
  t.same(mentionsOf(['hook'], migrations), [])
})
