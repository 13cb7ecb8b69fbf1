/** The states of a login by electronic identity, for the person who logs in. */
export const ELECTRONIC_ID_EN = {
  states: {
    success: 'You are logged in.',
    pending: 'Approve the request on your phone if it shows the same code as this page.',
    timeout: 'The phone did not answer in time. Please try again.',
    cancelled: 'The login was cancelled on the phone.',
    'account-not-found': 'There is no account for this electronic ID.',
    error: 'The electronic ID cannot be used now. Check that it is not blocked, or log in another way.',
    unknown: 'The result of the login is not known. Please try again.',
  },
  /**
   * This text replaces `account-not-found` for drivers: they make their account by mail, and connect the
   * identity themselves.
   */
  noDriver:
    'No account was found. Check the number, or log in by e-mail first and then connect your electronic ID.',
  /** This text replaces `success` after an identity was connected. */
  connected: 'Your electronic ID is connected.',
} as const;
