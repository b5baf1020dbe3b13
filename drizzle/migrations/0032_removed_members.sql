CREATE TABLE "removed_members" (
	"account_id" bigint NOT NULL,
	"digest" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "removed_members_account_id_digest_pk" PRIMARY KEY("account_id","digest")
);
--> statement-breakpoint
ALTER TABLE "removed_members" ADD CONSTRAINT "removed_members_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
