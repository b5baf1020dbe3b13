CREATE TABLE "pictures" (
	"key" text PRIMARY KEY NOT NULL,
	"user_id" bigint,
	"account_id" bigint,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pictures_have_one_owner" CHECK (num_nonnulls("pictures"."user_id", "pictures"."account_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "picture" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "picture" text;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "pictures_user_id_index" ON "pictures" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "pictures_account_id_index" ON "pictures" USING btree ("account_id");