-- Rows of 0.2.0 that the job `backfill` of 0.3.0 has not come to. Usually there are none, and an index says so at once.
update users set search = '' where search is null;
--> statement-breakpoint
update sessions set method = method where method <> 'password' and first_factor = 'password' and second_factor is null;
--> statement-breakpoint
update accounts set personal_user_id = (
  select owner.user_id from memberships owner join users on users.id = owner.user_id
  where owner.account_id = accounts.id and owner.role = 'owner'
  order by users.name = accounts.name desc, owner.id limit 1
) where personal and personal_user_id is null;
--> statement-breakpoint
drop table live_messages, live_outbox, spent_starts;
--> statement-breakpoint
drop trigger write_personal_user on memberships;
--> statement-breakpoint
drop function write_personal_user();
-- `sessions.method` and its trigger stay for 0.3.0, which reads and writes it.
