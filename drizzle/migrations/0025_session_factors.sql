ALTER TABLE "sessions" ADD COLUMN IF NOT EXISTS "first_factor" text DEFAULT 'password' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN IF NOT EXISTS "provider" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN IF NOT EXISTS "second_factor" text;--> statement-breakpoint
-- The version before reads and writes the method alone, this one writes the columns. The method is right in each row, the
-- columns from the first write on: the job `backfill` writes the rows of before. An inserted row has no old one.
-- Made only if it is missing: another role may have prepared it, and a function with other contents has another name.
do $do$ begin
  if to_regproc('keep_session_factors') is not null then return; end if;
  create function keep_session_factors() returns trigger language plpgsql as $$
  declare
    second constant text := '_and_(code|recovery_code|trusted_browser)$';
    keeps_first boolean := row(new.first_factor, new.provider)
      is not distinct from row(coalesce(old.first_factor, 'password'), old.provider);
    keeps_second boolean := new.second_factor is not distinct from old.second_factor;
    method_decides boolean := new.method <> coalesce(old.method, 'password') or (keeps_first and keeps_second);
    source text := case when method_decides then new.method else coalesce(old.method, 'password') end;
    first text := regexp_replace(source, second, '');
  begin
    if method_decides or keeps_first then
      new.first_factor := split_part(first, ':', 1);
      new.provider := substring(first from '^provider:(.*)$');
    end if;
    if method_decides or keeps_second then
      new.second_factor := substring(source from second);
    end if;
    new.method := concat(new.first_factor, ':' || new.provider, '_and_' || new.second_factor);
    return new;
  end $$;
end $do$;
--> statement-breakpoint
-- Of databases from between 0.2.0 and 0.3.0. Its function may be another role's, and stays.
drop trigger if exists keep_session_method on sessions;
--> statement-breakpoint
create or replace trigger keep_session_factors
  before insert or update of method, first_factor, provider, second_factor on sessions
  for each row execute function keep_session_factors();
