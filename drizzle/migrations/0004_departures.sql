ALTER TABLE "users" DROP CONSTRAINT "users_last_account_id_accounts_id_fk";
--> statement-breakpoint
DROP INDEX "users_last_account_id_index";--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "mail_id" uuid;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "accepter_id" bigint;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_accepter_id_users_id_fk" FOREIGN KEY ("accepter_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitations_accepter_id_index" ON "invitations" USING btree ("accepter_id");--> statement-breakpoint
CREATE INDEX "invitations_email_index" ON "invitations" USING btree ("email");--> statement-breakpoint
DELETE FROM "invitations" WHERE "accepted_at" IS NULL AND NOT EXISTS (
	SELECT FROM "memberships"
	WHERE "memberships"."account_id" = "invitations"."account_id" AND "memberships"."user_id" = "invitations"."inviter_id" AND "memberships"."role" IN ('owner', 'admin')
);
