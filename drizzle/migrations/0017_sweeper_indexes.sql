CREATE INDEX CONCURRENTLY IF NOT EXISTS "invitations_ended" ON "invitations" USING btree (coalesce("accepted_at", "expires_at"));--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "activities_created_at_index" ON "activities" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "sessions_last_seen_at_index" ON "sessions" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "sessions_created_at_index" ON "sessions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_never_verified" ON "users" USING btree ("created_at") WHERE not "users"."verified" and "users"."verified_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "activities_user_id_created_at_id_index" ON "activities" USING btree ("user_id","created_at","id") WHERE "activities"."user_id" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "activities_account_id_created_at_id_index" ON "activities" USING btree ("account_id","created_at","id") WHERE "activities"."account_id" is not null;--> statement-breakpoint
-- These four for operators, who search by the beginning.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "accounts_slug_begins" ON "accounts" USING btree ("slug" text_pattern_ops);--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "accounts_name_begins" ON "accounts" USING btree (lower("name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_email_begins" ON "users" USING btree ("email" text_pattern_ops);--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_name_begins" ON "users" USING btree (lower("name") text_pattern_ops);
