DROP INDEX "presences_expires_at_index";--> statement-breakpoint
ALTER TABLE "presences" SET (fillfactor = 50);
