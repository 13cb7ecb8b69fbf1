/** The texts of the mails to drivers. */
export const DRIVER_MAIL_EN = {
  link: {
    subject: 'Log in',
    text: `Hello,

Log in here to pay for parking automatically:

{link}

The link works once, and for 15 minutes. If you did not ask for this, you can ignore this mail.
`,
  },
  declined: {
    subject: 'Your card was declined',
    text: `Hello,

Your card could not be charged for {plate}. Nothing was paid, and the card is not used automatically again until you allow it.

You can pay here, or at the machine on site:

{payAt}
`,
  },
  limit: {
    subject: 'Your limit was reached',
    text: `Hello,

Your card did not pay automatically for {plate}: the price is higher than the limit you set. Nothing was charged.

You can pay here, or at the machine on site:

{payAt}

Change your limits here:

{page}
`,
  },
  doubt: {
    subject: 'Automatic payment was not made',
    text: `Hello,

Your card did not pay automatically for {plate}, because we are not sure about the number plate or the time. Nothing was charged.

If this is your car, you can pay here, or at the machine on site:

{payAt}
`,
  },
  card: {
    subject: 'Automatic payment was not made',
    text: `Hello,

Your card could not be used for {plate} this time. Nothing was charged.

You can pay here, or at the machine on site:

{payAt}
`,
  },
  claimed: {
    subject: 'Another driver claims your vehicle',
    text: `Hello,

Another driver tried to add {plate} to their account. Nothing has changed: the vehicle is still yours here, and your card pays for it.

If you no longer use the vehicle, you can remove it here. Otherwise you can ignore this mail.

{page}
`,
  },
  moved: {
    subject: 'Automatic payment has ended',
    text: `Hello,

Another driver has proved that {plate} is theirs. Your card no longer pays for that vehicle.
`,
  },
  notRegistered: {
    text: `Hello,

The register of vehicles no longer names you for {plate}. Your card no longer pays for that vehicle.
`,
  },
  identityMoved: {
    subject: 'Electronic ID disconnected',
    text: `Hello,

Your electronic ID was connected to another account, and no longer belongs to this one. If that was not you, connect it here again. Nobody can connect it unless you approve it on your phone.
`,
  },
} as const;
