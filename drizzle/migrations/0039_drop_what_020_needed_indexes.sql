DROP INDEX CONCURRENTLY IF EXISTS "accounts_without_personal_user";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "activities_user_id_id_index";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "sessions_without_factors";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_name_begins";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_without_search";
