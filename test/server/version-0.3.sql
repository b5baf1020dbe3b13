-- What 0.3.0 leaves behind: people, and mails and jobs in each state. Written by that version, a second after its
-- process was killed, with a clock that is fifty years ahead, so that its links stay valid. Times count from now.

insert into users (id, name, email, verified, password_digest, email_revision, last_account_id, created_at, updated_at, verified_at, language, proved_email, search) overriding system value values
  (1, 'Ana', 'ana@example.com', true, '$argon2id$v=19$m=19456,t=2,p=1$imBkJRyS+xTrFvSeseBI2g$6etevv3Qy9Iw71fPLHwTQIzIYEPI1JOhdH9wEqC+x7M', 0, 1, now() - interval '9 s', now() - interval '8 s', now() - interval '8 s', 'en', 'ana@example.com', 'ana ana@example.com'),
  (2, 'Ben', 'ben@example.com', false, '$argon2id$v=19$m=19456,t=2,p=1$77ivh6hFyS3YkoowMco7lw$L8fEEuIlLJvoQJSAzUVDGWccYLyR44w2bCnQDly3jHQ', 0, 2, now() - interval '8 s', now() - interval '8 s', null, 'en', null, 'ben ben@example.com'),
  (3, 'Dora', 'dora.new@example.com', false, '$argon2id$v=19$m=19456,t=2,p=1$CILJpjIeuG0id0FkZBejKg$iNc2y/+I+1po0li0cx0nFgLwpHJRUBMaQseuORbo1M4', 1, 3, now() - interval '8 s', now() - interval '7 s', now() - interval '7 s', 'en', 'dora@example.com', 'dora dora.new@example.com'),
  (6, 'Eve', 'eve@example.com', true, '$argon2id$v=19$m=19456,t=2,p=1$hG8eVCgsSAPnpgvPl0ojfA$sq0L8bEd2oGiyIPtYOKObtZdzdGDYoAlNtb/oNtwgQM', 0, 6, now() - interval '3 s', now() - interval '2 s', now() - interval '3 s', 'en', 'eve@example.com', 'eve eve@example.com'),
  (8, 'Fay', 'fay@example.com', false, '$argon2id$v=19$m=19456,t=2,p=1$ujG9kSZPiL5uDOg1Xt0/sg$RdqRscZ8L+/iCJlMDblCjIZtKfheHlDWb4LMqaIlQ0I', 0, 8, now() - interval '1 s', now() - interval '1 s', null, 'en', null, 'fay fay@example.com');

insert into accounts (id, name, slug, personal, created_at, updated_at, require_second_factor, personal_user_id, require_single_sign_on) overriding system value values
  (1, 'Ana', 'ana', true, now() - interval '9 s', now() - interval '9 s', false, 1, false),
  (2, 'Ben', 'ben', true, now() - interval '8 s', now() - interval '8 s', false, 2, false),
  (3, 'Dora', 'dora', true, now() - interval '8 s', now() - interval '8 s', false, 3, false),
  (6, 'Eve', 'eve', true, now() - interval '3 s', now() - interval '3 s', false, 6, false),
  (8, 'Fay', 'fay', true, now() - interval '1 s', now() - interval '1 s', false, 8, false);

insert into memberships (id, account_id, user_id, role, created_at, updated_at, outside) overriding system value values
  (1, 1, 1, 'owner', now() - interval '9 s', now() - interval '9 s', false),
  (2, 2, 2, 'owner', now() - interval '8 s', now() - interval '8 s', false),
  (3, 3, 3, 'owner', now() - interval '8 s', now() - interval '8 s', false),
  (6, 6, 6, 'owner', now() - interval '3 s', now() - interval '3 s', false),
  (8, 8, 8, 'owner', now() - interval '1 s', now() - interval '1 s', false);

insert into sessions (token, user_id, user_agent, ip_address, created_at, last_seen_at, method, first_factor) values
  ('bbVoit13PTkSGCEeKjDkgJAKgXq6UElSp0ujzGS_Tag', 1, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', '198.51.0.2', now() - interval '9 s', now() - interval '9 s', 'password', 'password'),
  ('t21Qu2l_ez5rTU8Y-RmaGS1ZKQI0FtAN68-r9vp9V00', 2, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', '198.51.0.3', now() - interval '8 s', now() - interval '8 s', 'password', 'password'),
  ('O7jSASN-Su5fPg8E52CYyj7xiNcfvRJ6ZZgxyLzlwf8', 3, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', '198.51.0.4', now() - interval '8 s', now() - interval '8 s', 'password', 'password'),
  ('m8Rg39nYH-ZOKea4RJQlNR6eWanH6VYtHYnugj4_xAk', 6, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', '198.51.0.10', now() - interval '3 s', now() - interval '3 s', 'password', 'password'),
  ('qFjWey-XAJjbM6zwQbiqdiNfEK5jOL5dtvyjlUxipyw', 8, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', '198.51.0.13', now() - interval '1 s', now() - interval '1 s', 'password', 'password');

insert into invitations (id, account_id, inviter_id, email, role, token_digest, expires_at, created_at, updated_at, mail_id) overriding system value values
  (1, 1, 1, 'dan@example.com', 'member', 'LchWG8hvvanEsvXsLSG-ai_JU0sgoMCC1rOHvCTQvQc', now() + interval '604793 s', now() - interval '7 s', now() - interval '7 s', '7dd6810a-bd26-43bd-b18e-d02b0b8493d8'),
  (2, 1, 1, 'cem@example.com', 'member', 'rQBDBQP7Fx3mbhxjpCrTOYYrbO8setOPKLEdnaI10RQ', now() + interval '604798 s', now() - interval '2 s', now() - interval '2 s', '3c547194-5055-4b05-a48f-c702a22c141f');

insert into activities (id, type, actor_id, actor_name, user_id, details, ip_address, user_agent, created_at) overriding system value values
  (9, 'email_changed', 3, 'Dora', 3, '{}', '198.51.0.4', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', now() - interval '7 s'),
  (28, 'password_changed', 6, 'Eve', 6, '{}', '198.51.0.10', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', now() - interval '2 s');

insert into email_changes (id, user_id, previous_email, created_at, previous_verified_at, previous_proved) overriding system value values
  (1, 3, 'dora@example.com', now() - interval '7 s', now() - interval '7 s', true);

insert into pgboss.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds, retention_seconds, deletion_seconds, dead_letter, partition, table_name, heartbeat_seconds, notify, created_on) values
  ('__pgboss__send-it', 'standard', 2, 0, false, 900, 1209600, 604800, null, false, 'job_common', null, false, now() - interval '13 s'),
  ('dead_jobs', 'standard', 2, 0, false, 900, 2592000, 604800, null, false, 'job_common', null, false, now() - interval '13 s'),
  ('jobs', 'standard', 8, 9, true, 900, 1209600, 43200, 'dead_jobs', false, 'job_common', 15, true, now() - interval '12 s'),
  ('private_jobs', 'standard', 8, 9, true, 900, 3600, 60, null, false, 'job_common', 15, true, now() - interval '12 s');

insert into pgboss.schedule (name, key, kind, cron, timezone, data, options, created_on, updated_on) values
  ('jobs', 'sweep', 'cron', '17 * * * *', 'UTC', '{"job":"sweep"}', '{"key":"sweep"}', now() - interval '11 s', now() - interval '11 s'),
  ('jobs', 'backfill', 'cron', '*/5 * * * *', 'UTC', '{"job":"backfill"}', '{"key":"backfill"}', now() - interval '10 s', now() - interval '10 s');

insert into pgboss.job (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, expire_seconds, deletion_seconds, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id) values
  ('3c547194-5055-4b05-a48f-c702a22c141f', 'jobs', 0, '{"job":"account_invitation","invitationId":2}', 'failed', 8, 8, 9, true, 900, 43200, now() - interval '2 s', now() - interval '2 s', now() - interval '2 s', now() - interval '2 s', now() + interval '1209598 s', '{"code":"EENVELOPE 451"}', 'dead_jobs', 'standard', null, 15, false, false, 0, null, null, null, null, null, null),
  ('c0e84576-32d3-40c1-9ecd-6abca90effcc', 'jobs', 0, '{"job":"report","about":"Initech"}', 'failed', 8, 8, 9, true, 900, 43200, now() - interval '2 s', now() - interval '2 s', now() - interval '2 s', now() - interval '2 s', now() + interval '1209598 s', '{"code":"REPORT"}', 'dead_jobs', 'standard', null, 15, false, false, 0, null, null, null, null, null, null),
  ('c508edc1-7a07-4840-94cd-b40af9697447', 'dead_jobs', 0, '{"job":"account_invitation","invitationId":2}', 'created', 2, 0, 0, false, 900, 604800, now() - interval '2 s', now() - interval '2 s', null, null, now() + interval '2591998 s', null, null, null, null, null, false, false, 0, 'jobs', '3c547194-5055-4b05-a48f-c702a22c141f', now() - interval '2 s', 8, '{"code":"EENVELOPE 451"}', '3c547194-5055-4b05-a48f-c702a22c141f'),
  ('fd6f27c0-b99e-4a12-86a1-5da505c79d02', 'dead_jobs', 0, '{"job":"report","about":"Initech"}', 'created', 2, 0, 0, false, 900, 604800, now() - interval '2 s', now() - interval '2 s', null, null, now() + interval '2591998 s', null, null, null, null, null, false, false, 0, 'jobs', 'c0e84576-32d3-40c1-9ecd-6abca90effcc', now() - interval '2 s', 8, '{"code":"REPORT"}', 'c0e84576-32d3-40c1-9ecd-6abca90effcc'),
  ('33f7b3e9-ae48-4044-97c9-34d7e9805a9f', 'jobs', 0, '{"job":"report","about":"Hooli"}', 'retry', 8, 0, 9, true, 900, 43200, now() + interval '11 s', now() - interval '2 s', now() - interval '2 s', null, now() + interval '1209598 s', '{"code":"REPORT"}', 'dead_jobs', 'standard', null, 15, false, false, 0, null, null, null, null, null, null),
  ('993882fd-7017-40e0-ba53-dadb5d7ca690', 'jobs', 0, '{"job":"password_changed","userId":6,"activityId":28}', 'retry', 8, 0, 9, true, 900, 43200, now() + interval '8 s', now() - interval '2 s', now() - interval '2 s', null, now() + interval '1209598 s', '{"code":"EENVELOPE 451"}', 'dead_jobs', 'standard', null, 15, false, false, 0, null, null, null, null, null, null),
  ('26ee0013-8521-49ac-a62d-7a3b95ac4133', 'jobs', 0, '{"job":"password_reset","email":"ana@example.com"}', 'active', 8, 0, 9, true, 900, 43200, now() - interval '1 s', now() - interval '1 s', now() - interval '1 s', null, now() + interval '1209599 s', null, 'dead_jobs', 'standard', now() - interval '1 s', 15, false, false, 0, null, null, null, null, null, null),
  ('63ab74a1-c78f-4e98-86ac-26d12dbecaf0', 'jobs', 0, '{"job":"email_verification","userId":8}', 'created', 8, 0, 9, true, 900, 43200, now() - interval '1 s', now() - interval '1 s', null, null, now() + interval '1209599 s', null, 'dead_jobs', 'standard', null, 15, false, false, 0, null, null, null, null, null, null),
  ('c67c7313-40c0-4563-9d7b-d893675ab81e', 'private_jobs', 0, '{"job":"user_deleted","email":"gus@example.com","language":"en"}', 'created', 8, 0, 9, true, 900, 60, now() - interval '1 s', now() - interval '1 s', null, null, now() + interval '3599 s', null, null, 'standard', null, 15, false, false, 0, null, null, null, null, null, null),
  ('e2ad94d7-ebeb-4219-9e74-43d0d804989e', 'jobs', 0, '{"job":"report","about":"Acme"}', 'created', 8, 0, 9, true, 900, 43200, now() + interval '0 s', now() + interval '0 s', null, null, now() + interval '1209600 s', null, 'dead_jobs', 'standard', null, 15, false, false, 0, null, null, null, null, null, null);
