/** The texts of an identification: on the telephone, and for a client to show. */
export const IDENTIFICATION_EN = {
  /** The word before the code, on a SIM card. */
  verification: 'Code',
  /** The message on the phone if the client gives none. */
  login: 'Login for parking',
  /** The message on the phone of a driver who connects an identity with an account; a client cannot change it. */
  connect: 'Connect to a parking account',
  /** The methods and their inputs. */
  method: {
    sim: 'Electronic ID on a SIM card',
    app: 'Auðkenni app',
    phone: 'Phone number',
    kennitala: 'Icelandic ID number (kennitala)',
  },
} as const;
