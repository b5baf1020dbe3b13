ALTER TABLE "sso_domains" ADD COLUMN "looked_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "sso_domains" ADD COLUMN "days_absent" integer DEFAULT 0 NOT NULL;
