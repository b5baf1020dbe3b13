ALTER TABLE "sso_connections" ADD COLUMN "creator_id" bigint;
--> statement-breakpoint
ALTER TABLE "sso_domains" ADD COLUMN "creator_id" bigint;
