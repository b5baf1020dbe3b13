CREATE TABLE "sso_setup_links" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"membership_id" bigint NOT NULL,
	"token_digest" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sso_setup_links_tokenDigest_unique" UNIQUE("token_digest")
);
--> statement-breakpoint
ALTER TABLE "sso_setup_links" ADD CONSTRAINT "sso_setup_links_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sso_setup_links" ADD CONSTRAINT "sso_setup_links_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "sso_setup_links_membership_id_index" ON "sso_setup_links" USING btree ("membership_id");
