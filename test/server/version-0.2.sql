-- What the version before 0.3.0 (0.2.0 but for its queue `job`) leaves behind: users, and mails and jobs in each state.
-- Written by that version, a minute after its process was killed. Times count from now. Its migrations end with 0014.

comment on schema pgboss is 'b45a9fdb9f1216920c06e2fe743b03ba423785504788d68c0ee128f7751790b4';

create index job_email on pgboss.job ((data->>'email')) where data->>'email' is not null;

insert into public.users (id, name, email, verified, password_digest, last_account_id, created_at, updated_at, verified_at, language) overriding system value values
  (1, 'Ana', 'ana@example.com', true, '$argon2id$v=19$m=19456,t=2,p=1$v2g3xjTQHIYO9MbyzyEKxQ$4EfRlcv4G25m/ovcxEzhjbb2uFuWiQxsG2hKUEAi4PQ', 1, now() - interval '00:01:17', now() - interval '00:01:01', now() - interval '00:01:16', 'en'),
  (3, 'Ben', 'ben@example.com', false, '$argon2id$v=19$m=19456,t=2,p=1$pMoO4AzTzCr4ykqrYReIpA$ZUogT1YKwG/s1SW8edDcJAS7zOphoNHeG5mgTAQrxb8', 3, now() - interval '00:01:00', now() - interval '00:01:00', null, 'en');

insert into public.accounts (id, name, slug, personal, created_at, updated_at) overriding system value values
  (1, 'Ana', 'ana', true, now() - interval '00:01:17', now() - interval '00:01:17'),
  (3, 'Ben', 'ben', true, now() - interval '00:01:00', now() - interval '00:01:00');

insert into public.memberships (id, account_id, user_id, role, created_at, updated_at) overriding system value values
  (1, 1, 1, 'owner', now() - interval '00:01:17', now() - interval '00:01:17'),
  (3, 3, 3, 'owner', now() - interval '00:01:00', now() - interval '00:01:00');

insert into public.invitations (id, account_id, inviter_id, email, role, token_digest, expires_at, created_at, updated_at, mail_id) overriding system value values
  (1, 1, 1, 'cem@example.com', 'member', '1PiKiNXstL5XWAqO2K5aAdzcu34akbhCLOyvpqvhFgE', now() + interval '6 days 23:58:43', now() - interval '00:01:16', now() - interval '00:01:16', 'f3b92418-e937-4756-b46b-ee9574623b22');

insert into public.activities (id, type, actor_id, actor_name, user_id, account_id, details, ip_address, user_agent, created_at) overriding system value values
  (8, 'password_changed', 1, 'Ana', 1, null, '{}', '198.51.0.2', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', now() - interval '00:01:01');

insert into pgboss.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds, retention_seconds, deletion_seconds, dead_letter, partition, table_name, heartbeat_seconds, notify, created_on) values
  ('mail_dead', 'standard', 2, 0, false, 900, 2592000, 604800, null, false, 'job_common', null, false, now() - interval '00:01:27'),
  ('job_dead', 'standard', 2, 0, false, 900, 2592000, 604800, null, false, 'job_common', null, false, now() - interval '00:01:27'),
  ('cron', 'exclusive', 3, 60, false, 3000, 3600, 43200, null, false, 'job_common', 15, true, now() - interval '00:01:27'),
  ('__pgboss__send-it', 'standard', 2, 0, false, 900, 1209600, 604800, null, false, 'job_common', null, false, now() - interval '00:01:18'),
  ('job', 'standard', 6, 60, true, 900, 604800, 43200, 'job_dead', false, 'job_common', 15, true, now() - interval '00:01:27'),
  ('mail', 'standard', 4, 5, false, 300, 604800, 43200, 'mail_dead', false, 'job_common', 15, true, now() - interval '00:01:27');

insert into pgboss.schedule (name, key, cron, data, options, created_on) values
  ('cron', 'discard_mails', '17 * * * *', '{"job": "discard_mails"}', '{"key": "discard_mails", "singletonKey": "discard_mails"}', now() - interval '00:01:18'),
  ('cron', 'sweep', '17 * * * *', '{"job": "sweep"}', '{"key": "sweep", "singletonKey": "sweep"}', now() - interval '00:01:18');

insert into pgboss.job (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, expire_seconds, deletion_seconds, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) values
  ('9b84f0b9-2fa8-47a6-9439-7b87a29d7d34', 'mail', 2, '{"mail": "email_verification", "userId": 1}', 'completed', 4, 0, 5, false, 300, 43200, now() - interval '00:01:17', now() - interval '00:01:17', now() - interval '00:01:17', now() - interval '00:01:17', now() + interval '6 days 23:58:42', null, 'mail_dead', 'standard', now() - interval '00:01:17', 15, null, null, null, null, null, null),
  ('92736a7e-ff6e-49de-afb9-62c4de857e93', 'mail', 2, '{"mail": "email_verification", "userId": 2}', 'completed', 4, 0, 5, false, 300, 43200, now() - interval '00:01:16', now() - interval '00:01:16', now() - interval '00:01:16', now() - interval '00:01:16', now() + interval '6 days 23:58:43', null, 'mail_dead', 'standard', now() - interval '00:01:16', 15, null, null, null, null, null, null),
  ('f3b92418-e937-4756-b46b-ee9574623b22', 'mail', 0, '{"mail": "account_invitation", "invitationId": 1}', 'failed', 4, 0, 5, false, 300, 43200, now() - interval '00:01:11', now() - interval '00:01:16', now() - interval '00:01:16', now() - interval '00:01:16', now() + interval '6 days 23:58:43', '{"code": "EENVELOPE", "responseCode": 550}', 'mail_dead', 'standard', null, 15, null, null, null, null, null, null),
  ('da20c8f3-4e81-4827-89d8-4cfdffce02e7', 'mail_dead', 0, '{"mail": "account_invitation", "invitationId": 1}', 'created', 2, 0, 0, false, 900, 604800, now() - interval '00:01:16', now() - interval '00:01:16', null, null, now() + interval '29 days 23:58:43', null, null, null, null, null, 'mail', 'f3b92418-e937-4756-b46b-ee9574623b22', now() - interval '00:01:16', 0, '{"code": "EENVELOPE", "responseCode": 550}', 'f3b92418-e937-4756-b46b-ee9574623b22'),
  ('8d873b84-11de-48ff-a081-92520327176a', 'job', 0, '{"job": "report", "about": "Initech"}', 'failed', 1, 1, 60, true, 900, 43200, now() - interval '00:01:16', now() - interval '00:01:16', now() - interval '00:01:01', now() - interval '00:01:01', now() + interval '6 days 23:58:43', '{"code": "Error"}', 'job_dead', 'standard', null, 15, null, null, null, null, null, null),
  ('6d16df56-5c77-47e3-9aa0-ef862a5a0ab8', 'job_dead', 0, '{"job": "report", "about": "Initech"}', 'created', 2, 0, 0, false, 900, 604800, now() - interval '00:01:01', now() - interval '00:01:01', null, null, now() + interval '29 days 23:58:58', null, null, null, null, null, 'job', '8d873b84-11de-48ff-a081-92520327176a', now() - interval '00:01:16', 1, '{"code": "Error"}', '8d873b84-11de-48ff-a081-92520327176a'),
  ('d5b36ca0-84d6-4206-adcb-c2c64b3d7403', 'job', 0, '{"job": "report", "about": "Hooli"}', 'retry', 6, 0, 60, true, 900, 43200, now() + interval '00:00:23', now() - interval '00:01:01', now() - interval '00:01:01', null, now() + interval '6 days 23:58:58', '{"code": "Error"}', 'job_dead', 'standard', null, 15, null, null, null, null, null, null),
  ('515f95e0-6abe-4b5f-b687-39bbbf89912b', 'mail', 1, '{"mail": "password_changed", "userId": 1, "activityId": 8}', 'retry', 4, 0, 5, false, 300, 43200, now() - interval '00:00:01', now() - interval '00:01:01', now() - interval '00:01:01', null, now() + interval '7 days -00:00:06', '{"code": "EENVELOPE", "responseCode": 451}', 'mail_dead', 'standard', null, 15, null, null, null, null, null, null),
  ('72ea0d77-5499-4ee9-bc27-f60423045482', 'mail', 2, '{"mail": "password_reset", "email": "ana@example.com"}', 'active', 4, 0, 5, false, 300, 43200, now() - interval '00:01:01', now() - interval '00:01:01', now() - interval '00:01:01', null, now() + interval '6 days 23:58:58', null, 'mail_dead', 'standard', now() - interval '00:01:01', 15, null, null, null, null, null, null),
  ('553f7a92-2601-4ea0-9ff2-546606a81cbe', 'mail', 2, '{"mail": "email_verification", "userId": 3}', 'created', 4, 0, 5, false, 300, 43200, now() - interval '00:01:00', now() - interval '00:01:00', null, null, now() + interval '6 days 23:58:59', null, 'mail_dead', 'standard', null, 15, null, null, null, null, null, null),
  ('4ee391b3-7595-4e9b-b2ca-b33e59dba04a', 'mail', 1, '{"mail": "user_deleted", "email": "dora@example.com", "language": "en"}', 'created', 4, 0, 5, false, 300, 43200, now() - interval '00:01:00', now() - interval '00:01:00', null, null, now() + interval '6 days 23:58:59', null, 'mail_dead', 'standard', null, 15, null, null, null, null, null, null),
  ('99234e2a-cf98-4bec-bda3-20e8bd74ed5c', 'job', 0, '{"job": "report", "about": "Acme"}', 'created', 6, 0, 60, true, 900, 43200, now() - interval '00:01:00', now() - interval '00:01:00', null, null, now() + interval '6 days 23:58:59', null, 'job_dead', 'standard', null, 15, null, null, null, null, null, null);
