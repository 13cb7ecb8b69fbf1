/** A password that a person sets has at least so many characters; forms say it. */
export const MIN_PASSWORD_CHARACTERS = 12;
