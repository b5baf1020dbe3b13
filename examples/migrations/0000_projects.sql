CREATE TABLE "projects" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "projects_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"creator_id" bigint,
	"name" text NOT NULL,
	"client" text NOT NULL,
	"rate_amount" bigint NOT NULL,
	"rate_currency" text NOT NULL,
	"due_on" date NOT NULL,
	"reminded_of" date,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "projects_rate_is_not_negative" CHECK ("projects"."rate_amount" >= 0)
);
--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "projects_account_id_due_on_id_index" ON "projects" USING btree ("account_id","due_on","id");--> statement-breakpoint
CREATE INDEX "projects_creator_id_index" ON "projects" USING btree ("creator_id");--> statement-breakpoint
CREATE INDEX "projects_due_on_index" ON "projects" USING btree ("due_on");