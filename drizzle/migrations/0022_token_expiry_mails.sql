ALTER TABLE "api_tokens" ADD COLUMN IF NOT EXISTS "expiry_mailed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN IF NOT EXISTS "passed_connections" bigint[] DEFAULT '{}' NOT NULL;
