CREATE TABLE "mail_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" bigint,
	"state" text,
	"digest" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mail_codes" ADD CONSTRAINT "mail_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_codes_user_id_index" ON "mail_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mail_codes_expires_at_index" ON "mail_codes" USING btree ("expires_at");