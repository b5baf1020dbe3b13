CREATE TABLE "workspace_token_invitations" (
	"invitation_id" bigint PRIMARY KEY NOT NULL,
	"token_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workspace_tokens" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workspace_tokens_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"maker_id" bigint,
	"role" text NOT NULL,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"digest" text NOT NULL,
	"has_second_factor" boolean NOT NULL,
	"passed_connections" bigint[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"expiry_mailed_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"is_exception" boolean NOT NULL,
	CONSTRAINT "workspace_tokens_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
ALTER TABLE "workspace_token_invitations" ADD CONSTRAINT "workspace_token_invitations_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."invitations"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "workspace_token_invitations" ADD CONSTRAINT "workspace_token_invitations_token_id_workspace_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."workspace_tokens"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "workspace_tokens" ADD CONSTRAINT "workspace_tokens_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "workspace_tokens" ADD CONSTRAINT "workspace_tokens_maker_id_users_id_fk" FOREIGN KEY ("maker_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "workspace_token_invitations_token_id_index" ON "workspace_token_invitations" USING btree ("token_id");
--> statement-breakpoint
CREATE INDEX "workspace_tokens_account_id_id_index" ON "workspace_tokens" USING btree ("account_id","id");
--> statement-breakpoint
CREATE INDEX "workspace_tokens_maker_id_index" ON "workspace_tokens" USING btree ("maker_id");
--> statement-breakpoint
CREATE INDEX "workspace_tokens_expires_at_index" ON "workspace_tokens" USING btree ("expires_at");
