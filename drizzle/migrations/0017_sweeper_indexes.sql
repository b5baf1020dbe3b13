CREATE INDEX IF NOT EXISTS "invitations_ended" ON "invitations" USING btree (coalesce("accepted_at", "expires_at"));--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "activities_created_at_index" ON "activities" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sessions_last_seen_at_index" ON "sessions" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sessions_created_at_index" ON "sessions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_never_verified" ON "users" USING btree ("created_at") WHERE not "users"."verified" and "users"."verified_at" is null;