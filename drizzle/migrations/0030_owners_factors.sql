CREATE TABLE "sso_factors" (
	"user_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"set_up_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sso_factors_user_id_account_id_set_up_at_pk" PRIMARY KEY("user_id","account_id","set_up_at")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "single_sign_on_required_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "two_factors_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "two_factors_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "trusted_browsers" ADD COLUMN "two_factors_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sso_factors" ADD CONSTRAINT "sso_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sso_factors_account_id_index" ON "sso_factors" USING btree ("account_id");--> statement-breakpoint
-- By hand: every factor of now is older than a requirement of now.
update accounts set single_sign_on_required_at = now() where require_single_sign_on;
