ALTER TABLE "users" ADD COLUMN "dismissed" text[] DEFAULT '{}' NOT NULL;
