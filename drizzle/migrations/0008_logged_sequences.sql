-- The sequence of an unlogged table is unlogged too, and unlike the table it does not survive the promotion of a
-- standby: every insert then fails with "bad magic number in sequence". One that is broken already is made anew.
do $$
declare
  name text;
begin
  foreach name in array array['live_messages', 'live_outbox'] loop
    begin
      execute format('alter sequence %I set logged', name || '_id_seq');
    exception when internal_error then
      execute format('truncate %I', name);
      execute format('alter table %I alter column id drop identity', name);
      execute format('alter table %I alter column id add generated always as identity', name);
      execute format('alter sequence %I set logged', name || '_id_seq');
    end;
  end loop;
end $$;
