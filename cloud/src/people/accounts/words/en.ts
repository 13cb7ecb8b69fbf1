/** The texts of passwords: the mails with a link, and the page to which it leads. */
export const ACCOUNT_EN = {
  recovery: {
    subject: 'New password',
    text: 'Dear {name},\n\nA new password was requested for this address. Set it here:\n\n{link}\n\nThe link works once, for 15 minutes. If you did not ask for this, you can ignore this mail: the old password stays.\n',
  },
  invitation: {
    subject: 'Your access to Hlið',
    text: 'Hello {name},\n\nYou have been given access to Hlið. Choose your password here:\n\n{link}\n\nThe link works once, for seven days. After that, "Forgot password" where you log in sends a new one.\n',
  },
  page: {
    title: 'New password',
    password: 'The new password',
    hint: 'At least {characters} characters.',
    set: 'Save the password',
    done: 'The password is saved.',
    doneText: 'You can log in with it now. Earlier logins have ended.',
    expired: 'This link is no longer valid.',
    expiredText:
      'A link works once, and only for some time. Choose "Forgot password" where you log in to get a new one.',
    logIn: 'Log in',
  },
} as const;
