ALTER TABLE "accounts" ADD COLUMN "personal_user_id" bigint;--> statement-breakpoint
CREATE INDEX "accounts_without_personal_user" ON "accounts" USING btree ("id") WHERE "accounts"."personal" and "accounts"."personal_user_id" is null;--> statement-breakpoint
-- The version before creates accounts without it, while it still runs or after a return to it. Dropped one version later.
create function write_personal_user() returns trigger language plpgsql as $$
begin
  update accounts set personal_user_id = new.user_id
  where id = new.account_id and personal and personal_user_id is null;
  return null;
end $$;
--> statement-breakpoint
create trigger write_personal_user after insert on memberships
  for each row when (new.role = 'owner') execute function write_personal_user();
--> statement-breakpoint
-- Many more would be locked for too long, so that the job `backfill` fills the others.
update accounts set personal_user_id = (
  select owner.user_id from memberships owner join users on users.id = owner.user_id
  where owner.account_id = accounts.id and owner.role = 'owner'
  order by users.name = accounts.name desc, owner.id limit 1
) where id in (select id from accounts where personal and personal_user_id is null limit 50000);
