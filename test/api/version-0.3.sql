-- What 0.3.0 leaves behind of a person with a token. Times count from now.

insert into users (id, name, email, verified, password_digest, email_revision, last_account_id, created_at, updated_at, verified_at, language, proved_email, search) overriding system value values
  (5, 'Ivy', 'ivy@example.com', true, '$argon2id$v=19$m=19456,t=2,p=1$osASG0v8VlcNn97CuOeufw$N9oNuHHpNjE6qu7l2LT3WEw9+NqpTzvjun0tVS5+TaE', 0, 5, now() - interval '4 s', now() - interval '4 s', now() - interval '4 s', 'en', 'ivy@example.com', 'ivy ivy@example.com');

insert into accounts (id, name, slug, personal, created_at, updated_at, require_second_factor, personal_user_id, require_single_sign_on) overriding system value values
  (5, 'Ivy', 'ivy', true, now() - interval '4 s', now() - interval '4 s', false, 5, false);

insert into memberships (id, account_id, user_id, role, created_at, updated_at, outside) overriding system value values
  (5, 5, 5, 'owner', now() - interval '4 s', now() - interval '4 s', false);

insert into api_tokens (id, user_id, name, scope, digest, has_second_factor, created_at, expires_at, passed_connections) overriding system value values
  (1, 5, 'CI', 'write', '442jNLbAUJiwLLknL7yR9xSf-tyTEXOfs1XoK8iXIA4', false, now() - interval '4 s', now() + interval '7775996 s', '{}');
