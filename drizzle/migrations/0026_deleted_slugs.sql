CREATE TABLE "deleted_slugs" (
	"digest" text PRIMARY KEY NOT NULL,
	"user_id" bigint,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deleted_slugs" ADD CONSTRAINT "deleted_slugs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deleted_slugs_user_id_index" ON "deleted_slugs" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "deleted_slugs_created_at_index" ON "deleted_slugs" USING btree ("created_at");