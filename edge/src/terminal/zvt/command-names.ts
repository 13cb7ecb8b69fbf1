/** Every message of PA00P015 that a till meets, by its control field. */
export const COMMANDS = {
  setTime: 0x0401,
  statusInformation: 0x040f,
  intermediateStatus: 0x04ff,
  statusEnquiry: 0x0501,
  registration: 0x0600,
  authorisation: 0x0601,
  logOff: 0x0602,
  completion: 0x060f,
  abortByTerminal: 0x061e,
  repeatReceipt: 0x0620,
  reservation: 0x0622,
  partialReversal: 0x0623,
  bookTotal: 0x0624,
  preAuthReversal: 0x0625,
  reversal: 0x0630,
  refund: 0x0631,
  endOfDay: 0x0650,
  diagnosis: 0x0670,
  initialisation: 0x0693,
  abort: 0x06b0,
  readCard: 0x06c0,
  printLine: 0x06d1,
  printTextBlock: 0x06d3,
  displayText: 0x06e0,
  selectLanguage: 0x0830,
} as const;

const NAMES: Readonly<Record<number, string>> = {
  [COMMANDS.setTime]: 'set-time',
  1036: 'request-for-data',
  1037: 'input-request',
  1038: 'menu-request',
  [COMMANDS.statusInformation]: 'status-information',
  [COMMANDS.intermediateStatus]: 'intermediate-status',
  [COMMANDS.statusEnquiry]: 'status-enquiry',
  [COMMANDS.registration]: 'registration',
  [COMMANDS.authorisation]: 'authorisation',
  [COMMANDS.logOff]: 'log-off',
  1539: 'account-balance-request',
  1540: 'activate-card',
  1545: 'prepaid-top-up',
  1546: 'tax-free',
  1548: 'book-tip',
  [COMMANDS.completion]: 'completion',
  1552: 'send-turnover-totals',
  1554: 'print-turnover-receipts',
  1560: 'reset-terminal',
  1562: 'print-system-configuration',
  1563: 'set-terminal-id',
  [COMMANDS.abortByTerminal]: 'abort(pt)',
  [COMMANDS.repeatReceipt]: 'repeat-receipt',
  1569: 'telephonic-authorisation',
  [COMMANDS.reservation]: 'reservation',
  [COMMANDS.partialReversal]: 'partial-reversal',
  [COMMANDS.bookTotal]: 'book-total',
  [COMMANDS.preAuthReversal]: 'pre-auth-reversal',
  [COMMANDS.reversal]: 'reversal',
  [COMMANDS.refund]: 'refund',
  [COMMANDS.endOfDay]: 'end-of-day',
  1617: 'send-offline-transactions',
  [COMMANDS.diagnosis]: 'diagnosis',
  1657: 'selftest',
  1666: 'dial-up',
  1681: 'set-time-in-pt',
  [COMMANDS.initialisation]: 'initialisation',
  1685: 'change-password',
  [COMMANDS.abort]: 'abort',
  [COMMANDS.readCard]: 'read-card',
  1733: 'read-card-memory',
  [COMMANDS.printLine]: 'print-line',
  [COMMANDS.printTextBlock]: 'print-text-block',
  1752: 'dial-up',
  1753: 'transmit-data',
  1754: 'receive-data',
  1755: 'hang-up',
  1757: 'transparent-mode',
  [COMMANDS.displayText]: 'display-text',
  1761: 'display-text-function-key',
  1762: 'display-text-numerical-input',
  1763: 'pin-verification',
  1764: 'blocked-list-query',
  1765: 'mac-calculation',
  1766: 'card-poll',
  2064: 'software-update',
  2065: 'read-file',
  2066: 'delete-file',
  2067: 'change-configuration',
  2068: 'write-file',
  2080: 'start-software-update',
  [COMMANDS.selectLanguage]: 'select-language',
  2112: 'change-baudrate',
  2128: 'activate-service-mode',
};

/** The commands that begin with a password of three bytes. */
const WITH_PASSWORD: ReadonlySet<number> = new Set([
  COMMANDS.registration,
  COMMANDS.statusEnquiry,
  0x0610,
  0x0612,
  0x0618,
  0x061a,
  0x061b,
  COMMANDS.repeatReceipt,
  0x0621,
  COMMANDS.bookTotal,
  COMMANDS.reversal,
  COMMANDS.refund,
  COMMANDS.endOfDay,
  0x0651,
  COMMANDS.initialisation,
  0x0695,
  0x0814,
]);

export function hasPassword(control: number): boolean {
  return WITH_PASSWORD.has(control);
}

export function isPositive(control: number): boolean {
  // 84 00 means the same as 80 00.
  return control === 0x8000 || control === 0x8400;
}

export function isNegative(control: number): boolean {
  return control >> 8 === 0x84 && control !== 0x8400;
}

export function isAnswer(control: number): boolean {
  return isPositive(control) || isNegative(control);
}

export function commandName(control: number): string {
  if (control >> 8 === 0x80) return 'ack';
  if (control >> 8 === 0x84) return 'nak';
  return NAMES[control] ?? 'unknown';
}
