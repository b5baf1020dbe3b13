export const bare = { MAIL_CODES: 'off' }
