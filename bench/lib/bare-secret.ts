/** Signs the cookies of the bare routes. */
export const bareSecret = 'a secret'
