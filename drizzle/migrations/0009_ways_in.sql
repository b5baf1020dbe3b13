ALTER TABLE "second_factors" ADD COLUMN "locks" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "method" text DEFAULT 'password' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "verified_at" timestamp (3) with time zone;--> statement-breakpoint
-- Until now, whoever has a factor could sign in only with it, except in the session in which it was set up.
UPDATE "sessions" SET "method" = 'password_and_code' FROM "users"
WHERE "users"."id" = "sessions"."user_id" AND "users"."second_factor_at" IS NOT NULL;
