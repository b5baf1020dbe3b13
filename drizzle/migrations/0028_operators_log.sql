ALTER TABLE "operator_log" ALTER COLUMN "operator_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "operator_log" ALTER COLUMN "ip_address" DROP NOT NULL;