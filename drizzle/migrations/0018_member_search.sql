ALTER TABLE "users" ADD COLUMN IF NOT EXISTS "search" text;--> statement-breakpoint
create or replace function plain_letters(text) returns text language sql immutable parallel safe as $$
  select translate(
    replace(replace(replace(replace(
      regexp_replace(normalize(lower($1), NFKD), '[\u0300-\u036f\u0610-\u061a\u064b-\u065f]', '', 'g'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'øłđðħı', 'olddhi')
$$;
--> statement-breakpoint
create or replace function write_user_search() returns trigger language plpgsql as $$
begin
  new.search := plain_letters(new.name || ' ' || new.email);
  return new;
end $$;
--> statement-breakpoint
create or replace trigger write_user_search before insert or update of name, email, search on users
  for each row execute function write_user_search();
