/**
 * The cloud's API for drivers with a stored card, beside `PAY_PATHS` and on the same origin as the payment page. All but
 * `options`, `login` and `open` need `Authorization: Bearer` with the token that `open`, or a login by electronic
 * identity (`ELECTRONIC_ID_PATHS`), gives. Everything personal is in bodies and
 * never in an address. Refusals are `DriverRefusal` of driver-api.ts; without a valid token the status is 401. Nothing
 * here needs a schema, so that the page can import it.
 */
export const DRIVER_PATHS = {
  /** The page; `#{link}` behind it is the secret of a mailed link. */
  page: '/pay/driver',
  /** GET: `DriverOptions`. */
  options: '/pay/api/driver/options',
  /** POST `DriverLogin`: `{}`, whether the address is known or not; mails a link. */
  login: '/pay/api/driver/login',
  /** POST `DriverOpen`: `DriverSession`; a link is good once. Without an account it makes one. */
  open: '/pay/api/driver/open',
  /** POST `{}`: `{}`; the token is no longer valid. */
  logout: '/pay/api/driver/logout',
  /**
   * POST `{}`: as `ELECTRONIC_ID_PATHS.init`; goes on with its other two calls. Success connects the identity with this
   * account, and with no other.
   */
  connectElectronicId: '/pay/api/driver/electronic-id/connect',
  /** POST `{}`: `Driver`; its register proofs end too. */
  disconnectElectronicId: '/pay/api/driver/electronic-id/disconnect',
  /** GET: `Driver`. */
  me: '/pay/api/driver/me',
  /** POST `DriverSettings`: `Driver`. */
  settings: '/pay/api/driver/settings',
  /** POST `DriverVehicleProof`: `Driver`; a new proof ends the payments of another driver for that plate. */
  addVehicle: '/pay/api/driver/vehicles/add',
  /** POST `{plate}`: `Driver`. */
  removeVehicle: '/pay/api/driver/vehicles/remove',
  /** POST `DriverCardOrder`: `Driver`; the card of a payment that the driver ordered with `storeCard`. */
  storeCard: '/pay/api/driver/card/store',
  /** POST `{}`: `Driver`; the card is gone here at once, and the provider forgets it. */
  deleteCard: '/pay/api/driver/card/delete',
  /** POST `DriverChargesPage`: `DriverCharges`; what was charged automatically, or why not, newest first. */
  charges: '/pay/api/driver/charges',
  /** POST `{}`: `{}`; deletes the account with all that belongs to it. Invoices stay. */
  erase: '/pay/api/driver/erase',
} as const;

/** A login by electronic identity; see the description of the API. Drivers name `purpose: 'driver'` in `init`. */
export const ELECTRONIC_ID_PATHS = {
  init: '/auth/login/stefna/init',
  authenticate: '/auth/login/stefna/authenticate',
  status: '/auth/login/stefna/status',
} as const;
