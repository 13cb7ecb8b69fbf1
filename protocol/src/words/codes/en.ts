import { STATUS_EN } from '../../base/status-words/en.ts';
import type { DecisionReason } from '../../records/decision.ts';
import type { DeviceKind, DeviceState } from '../../records/device.ts';
import type { GateReason } from '../../records/gate-reason.ts';
import type { PaidWith, ReviewFlag } from '../../records/visit.ts';
import type { LaneAlert } from '../../site-link/site-event.ts';

/** The texts of codes, for the people who watch a site. */
export const CODES_EN = {
  /** Why a lane decided as it did; the driver reads another text. */
  decision: {
    'need-plate': 'Plate not readable',
    blocklisted: 'On the blocklist',
    permit: 'Permit',
    'permits-only': 'No permit, permit holders only',
    full: 'Car park full',
    welcome: 'Visitor',
    'no-visit': 'No visit found',
    'ambiguous-visit': 'More than one visit fits',
    whitelisted: STATUS_EN.settlement.whitelisted,
    quota: 'Taken from the quota',
    'nothing-due': 'Nothing due',
    paid: STATUS_EN.settlement.kiosk,
    'company-invoice': STATUS_EN.settlement['company-invoice'],
    'owner-invoice': STATUS_EN.settlement['owner-invoice'],
    'need-payment': STATUS_EN.visit['need-payment'],
    'stay-uncertain': 'Length of stay uncertain: clock set',
    'visit-ended': 'Visit ended a moment ago',
    'late-exit': 'Left earlier, reported late',
    'left-unpaid': 'Left with payment due',
    'not-mine': 'Driver said: not my car',
    'closed-by-operator': 'Lane closed by an operator',
    'unread-vehicle': 'Stood at the exit unread',
  } satisfies Record<DecisionReason, string>,
  /** Why a person should check a visit or a passage. */
  flag: {
    'lost-exit': 'Earlier exit not seen',
    'late-exit': 'Exit reported late',
    'uncertain-plate': 'Plate uncertain',
    'uncertain-permit': 'Permit uncertain',
    'blocklist-lookalike': 'Looks like a blocked plate',
    'unreadable-plate': 'Plate not readable',
    'gate-unconfirmed': 'Gate not confirmed',
    'clock-set': "The site's clock was set meanwhile",
    'turned-back': 'Turned back at the gate',
    'quota-exceeded': 'More than the quota had',
    'payment-unknown': 'Paid or not: the terminal does not say',
    'invoice-stands': 'Voided, but its invoice stands',
    'settled-twice': 'Paid at the terminal, and settled or voided before',
    'near-exit': 'A car with nearly this plate left without a visit',
    'not-mine': 'A driver at the exit said: this is not my car',
    disputed: 'Contested: waits for an answer',
  } satisfies Record<ReviewFlag, string>,
  /** Why a person opened, held or closed a gate. */
  gateReason: {
    'unreadable-plate': 'The plate cannot be read',
    'wrong-plate': 'The plate was misread',
    'cannot-pay': 'The driver cannot pay on site',
    'paid-elsewhere': 'Paid elsewhere',
    guest: 'Guest',
    delivery: 'Delivery',
    emergency: 'Emergency',
    'device-fault': 'Faulty device',
    event: 'Event',
    works: 'Works',
    test: 'Test',
    other: 'Other',
  } satisfies Record<GateReason, string>,
  /** The alerts of a lane. */
  laneAlert: {
    tailgating: 'A car followed another one through',
    blocklisted: 'A car on the blocklist',
    'blocklist-lookalike': 'Looks like a plate on the blocklist',
    'wrong-way': 'A car drove the wrong way',
    'not-mine': 'A driver says: not my car',
    'needs-help': 'A driver may need help at the gate',
    'stands-still': 'Stands still before the camera, and opens nothing',
  } satisfies Record<LaneAlert, string>,
  /** Why the code of a payment by phone is not accepted at a site. */
  codeFault: {
    'not-found': 'No car with that plate is inside: see how the site has read it.',
    'visit-ended': 'That car has left.',
    'wrong-code': 'That is no code of a payment for this car.',
    'code-expired': 'The code has expired.',
    'too-many-requests': 'Too many codes were tried: wait a minute.',
  },
  /** How a payment came in: by card at a kiosk or online, or as a person received it. */
  paymentWay: {
    kiosk: 'Card at a kiosk',
    online: 'Card online',
    cash: 'Cash',
    transfer: 'Bank transfer',
    claim: 'Bank claim',
    'other-card': 'Card at another terminal',
    other: 'Received in another way',
  } satisfies Record<'kiosk' | 'online' | 'claim' | PaidWith, string>,
  /** The names of devices. */
  deviceKind: {
    camera: 'Camera',
    gate: 'Gate',
    terminal: 'Card terminal',
    kiosk: 'Kiosk screen',
    'code-reader': 'Code reader',
    link: 'Link to the cloud',
    disk: 'Disk',
    database: 'Database',
    clock: 'Clock',
    lists: 'Permits and prices',
    outbox: 'Events for the cloud',
    pictures: 'Pictures for the cloud',
    certificate: 'Certificates',
    backup: 'Backup',
    upgrade: 'Upgrade',
    payment: 'Ways to pay',
  } satisfies Record<DeviceKind, string>,
  /** The states of devices, in a word or two. */
  deviceState: {
    ok: 'in order',
    unknown: 'not known yet',
    silent: 'silent',
    unreachable: 'cannot be reached',
    'login-refused': 'refuses the login',
    failing: 'does not work',
    'clock-off': 'clock is wrong',
    low: 'little space left',
    full: 'full',
    outdated: 'out of date',
    differing: 'differs from the cloud',
    backlog: 'delayed',
    expiring: 'ends soon',
    replaced: 'was damaged and replaced',
    gone: 'removed',
  } satisfies Record<DeviceState, string>,
} as const;
