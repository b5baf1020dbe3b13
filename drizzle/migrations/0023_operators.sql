ALTER TABLE "users" ADD COLUMN IF NOT EXISTS "operator_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN IF NOT EXISTS "suspended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN IF NOT EXISTS "suspension_reason" text;--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "operator_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "operator_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"operator_id" bigint NOT NULL,
	"action" text NOT NULL,
	"user_id" bigint,
	"account_id" bigint,
	"ip_address" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "operator_log_created_at_index" ON "operator_log" USING btree ("created_at");--> statement-breakpoint
-- By hand, so that whatever ends or replaces the authenticator app ends the operator, in the version before as well.
create or replace function end_operator() returns trigger language plpgsql as $$
begin
  new.operator_since := null;
  return new;
end $$;
--> statement-breakpoint
create or replace trigger end_operator before update of second_factor_at on users
  for each row when (new.second_factor_at is distinct from old.second_factor_at) execute function end_operator();
