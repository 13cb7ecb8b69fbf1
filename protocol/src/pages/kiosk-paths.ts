/**
 * The edge's local API for a kiosk, answered from the site's own database; under `/api/kiosk`, on the loopback
 * interface only. Its schemas are in kiosk-api.ts, apart from this file: the page sends its first request before it
 * evaluates them. Errors are `{code, messages}`, with the codes of `KioskFault`.
 */
export const KIOSK_PATHS = {
  /** GET: `KioskSite`. The page asks every few seconds, and the site notices when it stops. */
  site: '/api/kiosk/site',
  /**
   * GET `?plate=`: `{visits: KioskVisit[]}`; open visits with a plate that begins with the text or is easily
   * confused with it.
   */
  visits: '/api/kiosk/visits',
  /**
   * GET `?from=&to=`: `{visits: KioskVisit[]}`; a few open visits by time of entry, without plates, for
   * drivers after a poor read of their plate. A span longer than `MAX_ENTRY_SPAN_MS`, or an earlier day than
   * the site shows, is refused: it would show who comes and goes.
   */
  entries: '/api/kiosk/entries',
  /**
   * GET: `KioskDue`; POST `/plate` `{plate}`: the driver enters the plate; GET `/picture`: JPEG of the entry; POST
   * `/not-mine` `{plate}`: a driver who is held at an exit for this visit denies it, and the exit opens; POST `/pay-link`
   * `KioskPayLinkOrder`: `KioskPayLink`, the address at which a phone pays for the stay; POST `/code` `KioskCodeOrder`: `KioskDue`,
   * after the driver has paid by phone and the cloud cannot report it.
   */
  visit: '/api/kiosk/visits/:visitId',
  /** POST `KioskOrder`: `KioskPayment`, with `idempotency-key`. */
  payments: '/api/kiosk/payments',
  /** GET: `KioskPayment`; GET `/events`: the same as server-sent events `payment`; POST `/cancel`; GET `/receipt`: `KioskReceipt`; POST `/mail` `{email}`. */
  payment: '/api/kiosk/payments/:paymentId',
  /** POST `KioskHelpOrder`: `KioskHelp`; the same call again while it is open. */
  help: '/api/kiosk/help',
  /** POST of `KioskScreenSchema`, where `KioskSite` asks for a picture. */
  screen: '/api/kiosk/screen/:pictureId',
  /** GET: `KioskHelp`. */
  helpCall: '/api/kiosk/help/:callId',
} as const;

/** The longest text of a screen that cannot be photographed. */
export const MAX_SCREEN_TEXT = 400;
