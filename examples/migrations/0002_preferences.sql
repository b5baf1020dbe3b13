CREATE TABLE "project_preferences" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"reminders" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "project_preferences" ADD CONSTRAINT "project_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;