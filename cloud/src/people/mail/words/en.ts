/** The texts of mails to the recipients of alarms. */
export const ALARM_MAIL_EN = {
  device: {
    subject: '{site} needs attention',
    since: 'since',
    settledTwice:
      '{amount} was paid at terminal {terminalId} for a visit that had been settled or voided already ({visitId}).\nRefund one of its invoices.\n',
    needsPerson:
      'The outcome of an online payment of {amount} is not known, or it could not be refunded ({id}).\nLook it up at the provider and record what you find.\n',
  },
  certificate: {
    subject: "The cloud's certificate is about to end",
    advice:
      'Renew the certificate as deploy/TLS.md describes. The cloud reads the files by itself; it needs no restart. Without a valid certificate no site connects.',
    ends: '{path} is valid until {endsAt}',
  },
  database: {
    subject: "The cloud's database is damaged",
    advice:
      'Stop the cloud and restore the newest backup, as deploy/BACKUP.md describes. The sites send again what is missing.',
  },
  backup: {
    subject: 'The backup of the cloud needs attention',
    last: 'Last backup: {at: none none | other #}',
    advice: 'Check the place of the backups, as deploy/BACKUP.md describes.',
  },
  rollout: {
    subject: 'The upgrade to {version} is paused',
    'went-back': '{site} went back to the former version.',
    stuck: '{site} works neither with the new version nor with the former one.',
    'ring-failed': 'No site of ring {ring} runs the new version.',
    advice: 'No other site is upgraded until somebody resumes the rollout in the console.',
  },
} as const;
