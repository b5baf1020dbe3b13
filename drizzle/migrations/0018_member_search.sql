CREATE INDEX IF NOT EXISTS "activities_user_id_created_at_id_index" ON "activities" USING btree ("user_id","created_at","id") WHERE "activities"."user_id" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "activities_account_id_created_at_id_index" ON "activities" USING btree ("account_id","created_at","id") WHERE "activities"."account_id" is not null;--> statement-breakpoint
-- After the indexes above: it locks users until the end, and everybody waits for that.
ALTER TABLE "users" ADD COLUMN "search" text;--> statement-breakpoint
CREATE INDEX "users_without_search" ON "users" USING btree ("id") WHERE "users"."search" is null;--> statement-breakpoint
create function plain_letters(text) returns text language sql immutable parallel safe as $$
  select translate(
    replace(replace(replace(replace(
      regexp_replace(normalize(lower($1), NFKD), '[\u0300-\u036f\u0610-\u061a\u064b-\u065f]', '', 'g'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'øłđðħı', 'olddhi')
$$;
--> statement-breakpoint
create function write_user_search() returns trigger language plpgsql as $$
begin
  new.search := plain_letters(new.name || ' ' || new.email);
  return new;
end $$;
--> statement-breakpoint
create trigger write_user_search before insert or update of name, email, search on users
  for each row execute function write_user_search();
