CREATE TABLE IF NOT EXISTS "sso_connections" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sso_connections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"issuer" text NOT NULL,
	"client_id" text NOT NULL,
	"secret" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp (3) with time zone,
	"failure_reason" text,
	"failure_at" timestamp (3) with time zone,
	CONSTRAINT "sso_connections_accountId_unique" UNIQUE("account_id"),
	CONSTRAINT "sso_connections_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "sso_domains" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sso_domains_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"domain" text NOT NULL,
	"record" text NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sso_domains_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "sso_identities" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sso_identities_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"subject" text,
	"email" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "sso_identities_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action,
	CONSTRAINT "sso_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "sso_passes" (
	"session_token" text NOT NULL,
	"connection_id" bigint NOT NULL,
	"passed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sso_passes_session_token_connection_id_pk" PRIMARY KEY("session_token","connection_id"),
	CONSTRAINT "sso_passes_session_token_sessions_token_fk" FOREIGN KEY ("session_token") REFERENCES "public"."sessions"("token") ON DELETE cascade ON UPDATE cascade,
	CONSTRAINT "sso_passes_connection_id_sso_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."sso_connections"("id") ON DELETE cascade ON UPDATE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "sso_domains_account_id_domain_index" ON "sso_domains" USING btree ("account_id","domain");
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "sso_domains_one_verified" ON "sso_domains" USING btree ("domain") WHERE "sso_domains"."verified_at" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "sso_identities_account_id_user_id_index" ON "sso_identities" USING btree ("account_id","user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "sso_identities_account_id_subject_index" ON "sso_identities" USING btree ("account_id","subject");
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sso_identities_user_id_id_index" ON "sso_identities" USING btree ("user_id","id");
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sso_passes_connection_id_index" ON "sso_passes" USING btree ("connection_id");
