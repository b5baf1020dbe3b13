ALTER TABLE "accounts" ADD COLUMN IF NOT EXISTS "personal_user_id" bigint;--> statement-breakpoint
-- These two for single sign-on, where they would be locked together with other tables.
ALTER TABLE "accounts" ADD COLUMN IF NOT EXISTS "require_single_sign_on" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN IF NOT EXISTS "outside" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- The version before creates accounts without it, while it still runs or after a return to it. Dropped one version later.
create or replace function write_personal_user() returns trigger language plpgsql as $$
begin
  update accounts set personal_user_id = new.user_id
  where id = new.account_id and personal and personal_user_id is null;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger write_personal_user after insert on memberships
  for each row when (new.role = 'owner') execute function write_personal_user();
