/** The folders of `protocol/src`, the lowest first: each imports only from itself and from those before it (ADR 33). */
export const table = {
  folders: {
    base: 'time, money, languages, mistakes and their words, bounds of what is read',
    plate: 'plates and their reads',
    tariff: 'products, tariffs and the price of a stay',
    records:
      'what is stored and sent: lanes, decisions, passages, visits, permits, payments, invoices, devices',
    pages: 'the calls of kiosk, payment page and driver’s page',
    'site-link': 'what a site and the cloud send each other',
    rules: 'pure rules that edge and cloud share',
    camera: 'the formats of camera makers',
    words: 'texts for people',
    'command-line': 'commands, their help and their files',
  },
};
