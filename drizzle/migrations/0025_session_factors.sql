-- By hand: "if not exists" and "or replace", so that whoever has very many sessions can do this before (CHANGELOG.md).
ALTER TABLE "sessions" ADD COLUMN IF NOT EXISTS "first_factor" text DEFAULT 'password' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN IF NOT EXISTS "provider" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN IF NOT EXISTS "second_factor" text;--> statement-breakpoint
-- The version before reads and writes the method alone, this one the columns: whoever leaves the columns as they are
-- has written the method. An inserted row has no old one.
create or replace function keep_session_method() returns trigger language plpgsql as $$
declare
  columns_before record := row(coalesce(old.first_factor, 'password'), old.provider, old.second_factor);
  first text := regexp_replace(new.method, '_and_(code|recovery_code|trusted_browser)$', '');
begin
  if row(new.first_factor, new.provider, new.second_factor) is not distinct from columns_before then
    new.first_factor := split_part(first, ':', 1);
    new.provider := substring(first from '^provider:(.*)$');
    new.second_factor := substring(new.method from '_and_(code|recovery_code|trusted_browser)$');
  else
    new.method := concat(new.first_factor, ':' || new.provider, '_and_' || new.second_factor);
  end if;
  return new;
end $$;
--> statement-breakpoint
create or replace trigger keep_session_method
  before insert or update of method, first_factor, provider, second_factor on sessions
  for each row execute function keep_session_method();
--> statement-breakpoint
-- Most sessions began with a password alone, which is the default.
update sessions set method = method where method <> 'password' and first_factor = 'password' and second_factor is null;
