-- What 0.3.0 leaves behind of a person with an authenticator app. Times count from now.

insert into users (id, name, email, verified, password_digest, email_revision, last_account_id, created_at, updated_at, second_factor_at, verified_at, language, proved_email, search) overriding system value values
  (4, 'Hal', 'hal@example.com', true, '$argon2id$v=19$m=19456,t=2,p=1$BYY1DfH3gs+TOpyt15T+KA$yzfINHCwGWBdhv3hFVXLLx2CWgNYWNj938LrlWpj9VU', 0, 4, now() - interval '6 s', now() - interval '5 s', now() - interval '5 s', now() - interval '5 s', 'en', 'hal@example.com', 'hal hal@example.com');

insert into accounts (id, name, slug, personal, created_at, updated_at, require_second_factor, personal_user_id, require_single_sign_on) overriding system value values
  (4, 'Hal', 'hal', true, now() - interval '6 s', now() - interval '6 s', false, 4, false);

insert into memberships (id, account_id, user_id, role, created_at, updated_at, outside) overriding system value values
  (4, 4, 4, 'owner', now() - interval '6 s', now() - interval '6 s', false);

insert into sessions (token, user_id, user_agent, ip_address, created_at, last_seen_at, method, first_factor, second_factor, two_factors_since) values
  ('WlimrvsSGjMREDJP9b9g9txFr4NxeSt8BhJPjMviwC0', 4, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', '198.51.0.6', now() - interval '6 s', now() - interval '6 s', 'password_and_code', 'password', 'code', now() - interval '5 s'),
  ('v_wqTzG_IQ1raHypi5BciTIfVSf0w5sr8BBD5YCnjJw', 4, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', '198.51.0.7', now() + interval '26 s', now() + interval '26 s', 'password_and_code', 'password', 'code', now() - interval '5 s');

insert into second_factors (user_id, secret, last_step, uses, wrong_codes, locks) values
  (4, 'LKdplMXS0oMWOXPLHS6YgzU8DVxnRXyiQR--R5oJCt_gZj51Ei9NpIkB8UuzusAR3te0P6vBTISdSlFM', 59863903, 1, 0, 0);

insert into recovery_codes (user_id, digest) values
  (4, 'UiF3Q1gzLn82l_FjJIK2SHzzjQDzwZdpugCNqYRVWYc'),
  (4, 'yri-gAGl3-hAqk8gg1kTko6O8tKMwJh83LM5qVSy_MQ'),
  (4, '4A35kVW4-uJWZdGS8CLJsIPCY8WqtY9dq8ybZ4qxG7s'),
  (4, '2nLWZPk5ymbvblNrIzKtr85sZ40fBf0Zw4FMBNLs9hU'),
  (4, 'U7K3LkY2c0n18SvF6YpzMrm-Ws_2Zos41262V-HM1Z0'),
  (4, '8dKUt_v2uoZ9opG2Vh8DyTOYAzxF2accIFYTINPEi4I'),
  (4, 'AqEhd95p61wjD9auO2owq4ogC56NszO3AGawS8nzqsk'),
  (4, 'i4vy7OXnXd21Megwo1Mf8T3VwfGVaNh24blGvLwiKtk'),
  (4, 'BhIJg6JzUFgwmF3avL15LgZIgFhtUG6sENQqb6Dem_Q'),
  (4, 'UopTpWXYwabpIXQdaYsmmXWuZKYpbMYiR6WGrEUjETE');

insert into trusted_browsers (user_id, device, expires_at, two_factors_since) values
  (4, 'NmcXpi6IZ7k1XyMR0-xfDRKzfa3rdy7mP-tRCXHsrm8', now() + interval '2592026 s', now() - interval '5 s');
