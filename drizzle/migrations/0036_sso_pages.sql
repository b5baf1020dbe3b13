ALTER TABLE "sso_connections" ADD COLUMN "failure_count" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "sso_domains" ADD COLUMN "missed_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "sso_domains" ADD COLUMN "other_value" text;
