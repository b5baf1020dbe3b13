DROP INDEX CONCURRENTLY IF EXISTS "memberships_user_id_index";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "presences_user_id_index" ON "presences" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "presences_expires_at_index" ON "presences" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "api_tokens_expires_at_index" ON "api_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "sessions_without_factors" ON "sessions" USING btree ("token") WHERE "sessions"."method" <> 'password' and "sessions"."first_factor" = 'password' and "sessions"."second_factor" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "trusted_browsers_expires_at_index" ON "trusted_browsers" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "email_changes_created_at_index" ON "email_changes" USING btree ("created_at");--> statement-breakpoint
-- On columns of the migrations 0018 and 0021, where they would be made under the lock of their tables.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_without_search" ON "users" USING btree ("id") WHERE "users"."search" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "accounts_without_personal_user" ON "accounts" USING btree ("id") WHERE "accounts"."personal" and "accounts"."personal_user_id" is null;
