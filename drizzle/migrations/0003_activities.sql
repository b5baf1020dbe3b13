CREATE TABLE "activities" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activities_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"actor_id" bigint,
	"actor_name" text,
	"user_id" bigint,
	"account_id" bigint,
	"details" jsonb NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "activities_user_id_id_index" ON "activities" USING btree ("user_id","id") WHERE "activities"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "activities_account_id_id_index" ON "activities" USING btree ("account_id","id") WHERE "activities"."account_id" is not null;--> statement-breakpoint
CREATE INDEX "activities_done_to_others" ON "activities" USING btree ("actor_id") WHERE "activities"."actor_id" is distinct from "activities"."user_id";