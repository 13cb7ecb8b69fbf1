/**
 * The cloud's API for the payment page of drivers, on the same origin as the page. Anybody may call it, so it
 * shows as little as a stranger may know and its limits are counted in the database. Everything personal
 * (plates, keys of stays and payments, links) is in bodies and never in an address; therefore most calls are
 * POST. Errors are `PayRefusal` of pay-api.ts. Nothing here needs a schema, so that the page can import it.
 *
 * A payment goes `order` → the step in `next` (`authenticate`, the bank's challenge) → `finish`. Only
 * `finish` moves money, exactly once however often it is called. The page makes the key of a payment before
 * it sends the order, so it can find out the state of a payment after a lost answer.
 */
export const PAY_PATHS = {
  /** The page: `/pay` and `/pay/{siteCode}`; `#{link}` behind it is a pay link. */
  page: '/pay',
  /** The page of one dispute: `#{key}` behind it is a link of `PayDisputed`. */
  objectionPage: '/pay/objection',
  /** GET: `{sites: PaySiteName[]}`; sites that take payments here. */
  sites: '/pay/api/sites',
  /** GET: `PaySite`. */
  site: '/pay/api/sites/:siteCode',
  /** POST `PayFind`: `{stays: PayStay[]}`. */
  find: '/pay/api/find',
  /** POST `{link}`: `PayOpened`; a pay link proves that the stay is the driver's, or leads to an invoice (`PayDue.invoice`). */
  open: '/pay/api/open',
  /** POST `PayProof`: `PayStay`, with picture and time of entry. */
  proof: '/pay/api/proof',
  /** POST `{stay}`: JPEG of the entry; only of a proved stay. */
  picture: '/pay/api/picture',
  /** POST `PayNotMine`: `{}`; the exit that waits for this stay in doubt opens. */
  notMine: '/pay/api/not-mine',
  /** POST `PayDispute`: `PayDisputed`; the driver of a proved stay, or whoever has the link of an invoice, contests it. `PayDue` has how that stands. */
  dispute: '/pay/api/dispute',
  /** POST `{link}`: `PayObjection`; how the dispute of a link stands. */
  objection: '/pay/api/objection',
  /** POST `PayObjectionMessage`: `PayObjection`; the driver adds a message. */
  objectionMessage: '/pay/api/objection/message',
  /** POST `{link}`: `PayObjection`; the driver withdraws the dispute. */
  objectionWithdraw: '/pay/api/objection/withdraw',
  /** POST `{stay}`: `PayDue`. */
  due: '/pay/api/due',
  /** POST `PayOrder`: `PayPayment`; the same key is the same payment. */
  order: '/pay/api/payments/order',
  /** POST `{payment}`: `PayPayment`; `not-found`: no order with that key has arrived. */
  payment: '/pay/api/payments/state',
  /** POST `PayAuthenticate`: `PayPayment`. */
  authenticate: '/pay/api/payments/authenticate',
  /** POST `PayFinish`: `PayPayment`. */
  finish: '/pay/api/payments/finish',
  /**
   * POST `{payment}`: `PayPayment`, cancelled unless `finish` was called before. A key without an order is cancelled too:
   * an order that arrives late is refused with `cancelled`.
   */
  cancel: '/pay/api/payments/cancel',
  /** POST `PayMail`: `{}`; mails the receipt. */
  mail: '/pay/api/payments/mail',
} as const;

/** The `kind` of the message from the bank's frame to the page, by `postMessage` within our origin: the bank has answered. */
export const CHALLENGE_RETURNED = 'hlid.payment.returned';

/** How far the typed time of entry may be from the true one. */
export const PROOF_TOLERANCE_MINUTES = 10;
/** Days in advance, in one payment. */
export const MAX_PAY_DAYS = 30;
