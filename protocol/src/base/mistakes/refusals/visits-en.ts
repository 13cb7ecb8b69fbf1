import type { PaymentStatus, VisitStatus } from '../../statuses.ts';

/** Visits, photos, permits and vehicles. */
export const VISITS_EN = {
  'visit-id-taken': 'There is a visit with this id already.',
  'inside-already': ({ plate }: { plate: string }) => `${plate} is inside already.`,
  'notice-delivered': ({ on }: { on: string }) => `A notice was delivered on ${on}.`,
  'not-in-doubt': 'No car waits at an exit for this visit in doubt.',
  'event-posted-before': 'The same event of this camera was posted before.',
  'range-beyond': 'the file ends before it',
  'not-a-picture': 'The body is neither JPEG nor PNG.',
  'read-erased': 'Its read was erased, or is older than pictures are kept.',
  'picture-being-stored': 'The picture is being stored, or that has just failed. Try again in a minute.',
  'entry-taken': ({ plate }: { plate: string }) => `There is an entry of ${plate} for that time already.`,
  'end-before-start': 'the end is after the beginning',
  'vehicle-of-another': 'the vehicle is registered to somebody else; an operator can give it to you',
  'custody-of-nobody': 'say whose custody it is',
  'account-of-another': 'the account belongs to another customer, or to none',
  'operators-backdate': 'only operators may set one that is past',
  'plate-or-vehicle': 'give the plate, or else the vehicleId',
  'in-custody-of-another': 'the vehicle is in somebody else’s custody then',
  'in-custody-already': 'The vehicle is in custody then already.',
  'plate-of-visit': 'it is that of the visit',
  'inside-twice': 'it is inside more than once',
  'photo-deleted': 'a deleted photo cannot be restored',
  'which-camera': 'say which camera',
  'token-of-another-camera': 'the token is another camera’s',
  'registry-silent': 'The register of vehicles does not answer now.',
  'no-registry': 'No register of vehicles is configured.',
  'not-in-registry': 'The register has no vehicle with that plate.',
  'settled-for-good': 'what is settled cannot be taken back',
  'only-payments-fail': 'only a payment fails, not a person',
  'visit-completed': 'a visit that is completed is settled; reopen it first',
  'plate-with-it': 'give the plate with it',
  'start-before-end': 'the start is before the end, and before now',
  'a-year-ago': 'it is more than a year ago',
  'paid-with-payment': 'only with the payment status kiosk: how the money came in',
  'end-with-status': 'it changes only with a status that ends the visit or opens it again',
  'end-out-of-range': 'the end is between the start and now',
  'in-the-future': 'it is in the future',
  'plate-unless-needed': 'is required, unless status is need-plate',
  'has-plate': 'need-plate is for a visit without one',
  'owner-needs-plate': 'an invoice to the owner needs a plate',
  'no-customer-to-bill':
    'company-invoice is for visits of a customer with daily or monthly billing, and this is nobody’s',
  'customer-without-billing':
    'company-invoice is for visits of a customer with daily or monthly billing, and this one’s has none',
  'same-visit': 'it is the same visit',
  'visit-of-another-site': 'it is a visit of another site',
  'neither-has-plate': 'neither has one',
  'later-is-paid': 'What was paid or invoiced for the later visit cannot go to the earlier.',
  'plate-first': 'The visit has no plate yet: give it first.',
  'no-plate-yet': 'The visit has no plate yet.',
  'paid-not-divisible': 'What was paid, invoiced or taken from a quota cannot be divided.',
  disputed: 'It is contested: answer that first.',
  'disputed-already': 'It is contested already, and waits for an answer.',
  'disputed-often': 'It was contested and answered before. Call us if you do not agree.',
  'dispute-answered': 'It was answered already.',
  'void-upheld-visit': 'only a contested visit that is upheld is voided with the answer',
  'notice-for-debts': 'A notice is for a visit that has ended and owes something.',
  'operators-cover-visits': 'only operators cover the whole of a visit',
  'operators-block': 'only operators may block a plate',
  'end-needed': 'an entry of type time has an end',
  'visit-for-type-visit': 'only an entry of type visit names a visit',
  'type-visit-allows': 'an entry of type visit allows',
  'visit-needed': 'an entry of type visit names its visit',
  'plate-of-another-visit': 'the visit has another plate',
  'site-of-another-visit': 'the visit is at another site',
  'no-header': 'The file has no header.',
  'csv-broken': 'is not CSV: its quotes or separators are wrong',
  'csv-quote-open': 'is not CSV: a quote is never closed',
  'csv-quote-within': 'is not CSV: a quote begins in the middle of a cell',
  'csv-after-quote': 'is not CSV: a cell goes on after its closing quote',
  'not-utf8': 'has letters that are not UTF-8; save the file as UTF-8',
  'column-twice': 'the column is there twice',
  'column-missing': 'the column is missing',
  'spreadsheet-plate': ({ cell }: { cell: string }) =>
    `“${cell}” may be what a spreadsheet made of another plate, such as 12-Mar of MAR12, 1,00E+10 of 1E10 or 700 of 00700: if it is right, write '${cell} with an apostrophe before it`,
  'weekdays-form': 'are numbers from 1 (Monday) to 7, such as 1 2 3 or 1-5',
  'hours-form': 'are such as 08:00-18:00',
  'visit-is-over': 'The visit is completed.',
  'visit-has-ended': 'The visit has ended: a permit no longer covers it. Operators can void what it owes.',
  'no-permits-with-terms':
    'The customer is billed for its visits. An operator decides whether this account may give permits.',
  'no-end-of-visit': 'an entry of type visit has no end',
  'end-before-visit': 'the end is after the start of the visit',
  'not-after-arrival': 'Your account covers no visit that has begun.',
  'no-past-time': 'your account gives no time that is past',
  'visit-of-photo-settled': ({ id }: { id: string }) =>
    `its visit ${id} is completed and settled; reopen it first`,
  'other-visit-open': ({ id }: { id: string }) =>
    `the visit ${id} of that plate is open; end it, and then correct this one`,
  'unreadable-document': ({ detail }: { detail: string }) => `${detail}`,
  'unreadable-picture': 'The picture is broken, or too large to be made small.',
  'visit-not-over': ({ id }: { id: string }) => `visit ${id}: it is not over`,
  'visit-not-settled': ({ id }: { id: string }) => `visit ${id}: it is not settled`,
  'custody-not-released': ({ id }: { id: string }) => `custodian ${id}: release the vehicle first`,
  'plate-blocked': ({ id }: { id: string }) => `whitelist entry ${id}: it blocks the plate; delete it first`,
  'reason-needed': ({ action }: { action: Reasoned }) => `${REASONED[action]} a visit needs a reason`,
  'settled-cannot-become': ({ to }: { to: VisitStatus }) => `a visit that is settled does not become ${to}`,
  'due-at-closing': ({ amount }: { amount: string }) =>
    `${amount} is due: say with paymentStatus how it is settled; void gives it up`,
  'visit-cannot-become': ({ from, to }: { from: VisitStatus; to: VisitStatus }) =>
    `a visit that is ${from} cannot become ${to}`,
  'plate-in-visit-then': ({ id }: { id: string }) => `the plate was in visit ${id} then`,
  'which-plate': ({ one, other }: { one: string; other: string }) => `say which is right, ${one} or ${other}`,
  'visit-voided': ({ id }: { id: string }) => `visit ${id} is voided: reopen it first`,
  'visit-between': ({ id }: { id: string }) => `visit ${id} lies between them`,
  'not-within-visit': ({ until }: { until: string }) => `between its start and ${until}`,
  'visit-settled': ({ paymentStatus }: { paymentStatus: PaymentStatus }) =>
    `The visit is settled (${paymentStatus}): reopen it first.`,
  'inside-in-visit': ({ plate, id }: { plate: string; id: string }) =>
    `${plate} is inside already, in visit ${id}`,
  'delivered-out-of-range': ({ endedAt }: { endedAt: string }) =>
    `between the end of the visit (${endedAt}) and now`,
  'permits-elsewhere': ({ sites }: { sites: readonly string[] }) =>
    `your account gives permits at ${sites.join(', ') || 'no site'}`,
  'permits-used-up': ({ max }: { max: number }) =>
    `Your account may have ${max} permits at once, and has them.`,
  'permit-too-long': ({ minutes, latest }: { minutes: number; latest: string }) =>
    `your account gives ${minutes} minutes, until ${latest}`,
  'csv-line-too-long': ({ max }: { max: number }) =>
    `is not CSV: a line has more than ${max} characters, or a quote is never closed`,
  'line-too-long': ({ bytes }: { bytes: number }) =>
    `has more than ${bytes} bytes: from here on nothing was read`,
  'too-many-cells': ({ cells, columns }: { cells: number; columns: number }) =>
    `has ${cells} cells for ${columns} columns`,
  'unknown-column': ({ title, columns }: { title: string; columns: readonly string[] }) =>
    `“${title}” is no column; columns are ${columns.join(', ')}`,
  'hours-for-weekdays': ({ hours, weekdays }: { hours: number; weekdays: number }) =>
    `there are ${hours} for ${weekdays} of weekdays`,
  'file-too-long': ({ lines }: { lines: number }) =>
    `A file has at most ${lines} lines: from here on nothing was read.`,
  'part-of-visit': ({ minutes }: { minutes: number }) =>
    `your account gives ${minutes} minutes of a visit, not the whole`,
  'visit-time-used-up': ({ minutes, latest }: { minutes: number; latest: string }) =>
    `your account gives ${minutes} minutes of a visit, until ${latest}`,
  'needed-with-settlement': 'is required with settlement',
  'picture-deleted': 'The picture is deleted.',
  'changed-since': 'Somebody has changed it since; correct the visit itself.',
  'settled-all-the-same': ({ settled }: { settled: PaymentStatus }) =>
    `The visit is settled all the same: ${settled}.`,
  'picture-decided': 'This picture is decided; undo that first, or change the photo itself.',
  'picture-claimed': 'Somebody else looks at this picture now.',
};

type Reasoned = keyof typeof REASONED;

const REASONED = {
  voiding: 'voiding',
  reopening: 'reopening',
  'correcting-start': 'correcting the start of',
  closing: 'closing',
};
