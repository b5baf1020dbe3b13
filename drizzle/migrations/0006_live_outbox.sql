CREATE UNLOGGED TABLE "live_outbox" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "live_outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payload" text NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
