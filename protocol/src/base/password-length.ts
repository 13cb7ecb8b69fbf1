/** The least number of characters of a password that a person sets; forms show it. */
export const MIN_PASSWORD_CHARACTERS = 12;
