import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { z } from 'zod';
import { PERMISSIONS, type Permission } from '../../src/platform/http/caller.ts';
import type { Row, RowChange, WatchedTables } from './watched-tables.ts';

/*
 * The worth of a new row: the rights that a person needs to do without it what it allows. It repeats the
 * specification, apart from the routes. A table that is not here makes the walk fail.
 */

/**
 * The needed rights: all of these permissions, or one of them with `either`; at these sites, or null: at all.
 */
export interface Worth {
  permissions: readonly Permission[] | null;
  either?: boolean;
  sites: readonly string[] | null;
}

/** An author who is not an operator: what they may give by permits, and for whom they act. */
export interface Author {
  kind: 'author';
  /** The author's name in their entries. */
  author: string;
  accountId: string | null;
  customerId: string | null;
  sites: readonly string[] | null;
  minutes: number | null;
  max: number;
  afterArrival: boolean;
  parkedMinutes: number;
  /** The role of the people of its customer whom it manages; null: none. */
  manages: 'customer' | 'partner' | null;
}

export interface OperatorGiver {
  kind: 'operator';
  accountId: string;
  permissions: readonly Permission[] | null;
  sites: readonly string[] | null;
}

export type Giver = Author | OperatorGiver;

export interface World {
  tables: WatchedTables;
  now: UtcTime;
  /** The API's id of a site, given the number in its rows; null: every site. */
  siteOf(raw: Row[string] | undefined): string | null;
}

type Meter = (change: RowChange, world: World, giver: Giver) => Worth[];

const OptionsSchema = z.looseObject({
  maxPermits: z.number().optional(),
  permitSites: z.array(z.string()).optional(),
  expireTime: z.number().optional(),
  permitWithoutEnd: z.boolean().optional(),
  permitAfterArrival: z.boolean().optional(),
  'free-parking-time': z.number().optional(),
  managesStaff: z.boolean().optional(),
});
export type Options = z.infer<typeof OptionsSchema>;

/** The limits that options set, with the defaults where they are silent: ten guests, for a day each. */
export function limitsOf(
  options: Options,
): Pick<Author, 'sites' | 'minutes' | 'max' | 'afterArrival' | 'parkedMinutes'> {
  return {
    sites: options.permitSites ?? null,
    minutes: options.permitWithoutEnd === true ? null : (options.expireTime ?? 1440),
    max: options.maxPermits ?? 10,
    afterArrival: options.permitAfterArrival ?? true,
    parkedMinutes: options['free-parking-time'] ?? 0,
  };
}

const json = (text: Row[string] | undefined): unknown => (typeof text === 'string' ? JSON.parse(text) : null);
const optionsOf = (row: Row | undefined) => OptionsSchema.parse(json(row?.['options']) ?? {});
const PermissionsSchema = z.array(z.enum(PERMISSIONS)).nullable();
const SitesSchema = z.array(z.string()).nullable();
const TermsSchema = z.looseObject({ billingSsn: z.string().nullish(), discount: z.number().optional() });

const differs = ({ before, after }: RowChange, ...columns: string[]) =>
  columns.some((column) => before?.[column] !== after[column]);
const covers = (own: readonly string[] | null, given: readonly string[] | null) =>
  own === null || (given?.every((one) => own.includes(one)) ?? false);
const at = (site: string | null) => (site === null ? null : [site]);
const everywhere = (...permissions: Permission[]): Worth[] => [{ permissions, sites: null }];

/** Needs these permissions at the site of the row. */
const ofItsSite =
  (...permissions: Permission[]): Meter =>
  ({ after }, { siteOf }) => [{ permissions, sites: at(siteOf(after['site_id'])) }];
/** What belongs to several sites has an empty one. */
const placeOf = (raw: Row[string] | undefined, siteOf: World['siteOf']) =>
  raw === '' ? null : at(siteOf(raw));
const ofSiteOrAll =
  (...permissions: Permission[]): Meter =>
  ({ after }, { siteOf }) => [{ permissions, sites: placeOf(after['site_id'], siteOf) }];
const oneOfAtItsSite =
  (...permissions: Permission[]): Meter =>
  ({ after }, { siteOf }) => [{ permissions, either: true, sites: at(siteOf(after['site_id'])) }];
const whereChanged =
  (columns: readonly string[], meter: Meter): Meter =>
  (change, world, giver) =>
    differs(change, ...columns) ? meter(change, world, giver) : [];

/** The rights of the holder of an account. */
function worthOfAccount(account: Row, world: World): Worth[] {
  if (account['role'] === 'operator') {
    const permissions = PermissionsSchema.parse(json(account['permissions']));
    return [{ permissions, sites: SitesSchema.parse(json(account['site_ids'])) }];
  }
  const { max, sites } = limitsOf(optionsOf(account));
  const people: Worth[] = isManager(account) ? [{ permissions: ['people'], sites }] : [];
  const permits: Worth[] = max === 0 ? people : [{ permissions: ['visits'], sites }, ...people];
  const isHolder = account['role'] === 'customer' && account['customer_id'] !== null;
  return isHolder ? [...permits, ...worthOfCustomer(account['customer_id'], world)] : permits;
}

const isManager = (account: Row | null) => optionsOf(account ?? undefined).managesStaff === true;

/** Whether an account is of the people whom an author manages, and gives no more than that author. */
function isOfOwnPeople(account: Row, giver: Giver): boolean {
  if (giver.kind !== 'author' || giver.manages === null || isManager(account)) return false;
  if (account['role'] !== giver.manages || account['customer_id'] !== giver.customerId) return false;
  const { sites, minutes, max, afterArrival, parkedMinutes } = limitsOf(optionsOf(account));
  if (max === 0) return true;
  const isShort = giver.minutes === null || (minutes !== null && minutes <= giver.minutes);
  const isRight = giver.afterArrival || !afterArrival;
  return (
    covers(giver.sites, sites) &&
    isShort &&
    isRight &&
    max <= giver.max &&
    parkedMinutes <= giver.parkedMinutes
  );
}

/** A customer's people put vehicles under its terms and its units, which for operators is custody. */
function worthOfCustomer(id: Row[string] | undefined, { tables, siteOf }: World): Worth[] {
  const customer = tables.find('customer', 'id', id);
  const { billingSsn, discount } = TermsSchema.parse(json(customer?.['options']) ?? {});
  const hasTerms = customer?.['billing_method'] != null || billingSsn != null || (discount ?? 0) > 0;
  const quotas = tables.rows('customer_quota').filter((quota) => quota['customer_id'] === id);
  const products = quotas
    .filter((quota) => quota['deleted_at'] === null && Number(quota['total']) > Number(quota['used']))
    .map((quota) => tables.find('product', 'id', quota['product_id']));
  const units = products.map(
    (product): Worth => ({ permissions: ['people'], sites: at(siteOf(product?.['site_id'])) }),
  );
  return hasTerms ? [...everywhere('people'), ...units] : units;
}

function hasGrown({ before, after }: RowChange): boolean {
  if (before === null) return true;
  if (before['role'] !== after['role'] || before['customer_id'] !== after['customer_id']) return true;
  if (before['status'] !== after['status'] && after['status'] === 'active') return true;
  const rights = (row: Row) => [
    PermissionsSchema.parse(json(row['permissions'])),
    SitesSchema.parse(json(row['site_ids'])),
  ];
  const [was, is] = [rights(before), rights(after)];
  if (after['role'] === 'operator') return is.some((part, n) => !covers(was[n] ?? null, part));
  if (isManager(after) && !isManager(before)) return true;
  const [old, now] = [limitsOf(optionsOf(before)), limitsOf(optionsOf(after))];
  const isLonger = old.minutes !== null && (now.minutes === null || now.minutes > old.minutes);
  const more = now.max > old.max || now.parkedMinutes > old.parkedMinutes;
  return !covers(old.sites, now.sites) || isLonger || more || (now.afterArrival && !old.afterArrival);
}

/** The rights of an account for a person who can enter it. */
function worthOfEntering(accountId: Row[string] | undefined, world: World, giver: Giver): Worth[] {
  if (accountId == null || accountId === giver.accountId) return [];
  const account = world.tables.find('account', 'id', accountId);
  return account === undefined || isOfOwnPeople(account, giver) ? [] : worthOfAccount(account, world);
}

const ofItsLogin: Meter = ({ after }, world, giver) =>
  worthOfEntering(world.tables.find('login', 'id', after['login_id'])?.['account_id'], world, giver);

const TOKENS: Readonly<Record<string, readonly Permission[]>> = {
  webhook: ['visits', 'money', 'devices', 'people'],
  kiosk: ['visits', 'money'],
  broker: ['devices'],
};

function token({ before, after }: RowChange, world: World, giver: Giver): Worth[] {
  const isLonger =
    before !== null && (before['expires_at'] !== after['expires_at'] || after['revoked_at'] === null);
  if (before !== null && (!isLonger || before['revoked_at'] === after['revoked_at'])) return [];
  if (after['role'] === 'whitelist') {
    const { max, sites } = limitsOf(optionsOf(after));
    return max === 0 ? [] : [{ permissions: ['visits'], sites }];
  }
  if (after['role'] !== null) return everywhere(...(TOKENS[String(after['role'])] ?? PERMISSIONS));
  if (after['camera_id'] !== null) {
    const camera = world.tables.find('camera', 'id', after['camera_id']);
    return [{ permissions: ['devices'], sites: at(world.siteOf(camera?.['site_id'])) }];
  }
  return worthOfEntering(after['account_id'], world, giver);
}

/** Terms hold at every site. People change how they are reached. */
function customer(change: RowChange): Worth[] {
  const { before, after } = change;
  const [was, is] = [before, after].map((row) => TermsSchema.parse(json(row?.['options']) ?? {}));
  const isBilled = after['billing_method'] !== null && differs(change, 'billing_method');
  const isPaidFor = is?.billingSsn != null && is.billingSsn !== was?.billingSsn;
  const paysLess = (is?.discount ?? 0) > (was?.discount ?? 0);
  const permits: Worth[] = isBilled && after['billing_method'] === 'whitelist' ? everywhere('visits') : [];
  return isBilled || isPaidFor || paysLess ? [...permits, ...everywhere('money')] : permits;
}

function quota({ before, after }: RowChange, { tables, siteOf }: World): Worth[] {
  const isMore =
    before === null ||
    Number(after['total']) > Number(before['total']) ||
    before['customer_id'] !== after['customer_id'] ||
    before['product_id'] !== after['product_id'];
  if (!isMore) return [];
  const product = tables.find('product', 'id', after['product_id']);
  return [{ permissions: ['money'], sites: at(siteOf(product?.['site_id'])) }];
}

const SEEN_BY: Readonly<Record<string, Permission>> = {
  visit: 'visits',
  photo: 'visits',
  invoice: 'money',
  payment: 'money',
  quota: 'people',
  device: 'devices',
  rollout: 'devices',
  passage: 'lanes',
  gate: 'lanes',
  lane: 'lanes',
  site: 'lanes',
  call: 'lanes',
};

/** A webhook shows what it sends to an address of its maker's choice. */
const webhook: Meter = ({ after }, { siteOf }) => {
  if (after['status'] !== 'active') return [];
  const types = z.array(z.string()).nullable().parse(json(after['types']));
  const kinds = types?.map((type) => type.split('.')[0] ?? '') ?? Object.keys(SEEN_BY);
  const permissions = kinds.map((kind) => SEEN_BY[kind] ?? 'people');
  return [{ permissions: [...new Set(permissions)], sites: at(siteOf(after['site_id'])) }];
};

const custodian: Meter = (change, _world, giver) => {
  const isOwn = giver.kind === 'author' && change.after['customer_id'] === giver.customerId;
  const isEnded = change.before !== null && change.after['status'] === 'archived';
  return isOwn || isEnded ? [] : everywhere('people');
};

/** A permit of an operator is worth sight of visits there; one of another author must be within its limits. */
function entry(change: RowChange, world: World, giver: Giver): Worth[] {
  const { before, after } = change;
  const site = world.siteOf(after['site_id']);
  if (giver.kind === 'operator') return [{ permissions: ['visits'], sites: at(site) }];
  if (after['status'] !== 'active' || (before !== null && !coversMore(change, world))) return [];
  const wrong = [
    ...((site === null ? giver.sites !== null : !covers(giver.sites, [site])) ? ['elsewhere'] : []),
    ...(endsLate(after, world, giver) ? ['too long'] : []),
    ...(before === null && held(world, giver) > giver.max ? ['one too many'] : []),
    ...(after['type'] === 'visit' ? ['of a whole visit'] : []),
    ...(String(after['active_from'] ?? '') < world.now ? ['of the past'] : []),
    ...(after['arrivals_only'] === 0 && !giver.afterArrival ? ['after the arrival'] : []),
    ...(Number(after['parked_minutes']) > giver.parkedMinutes ? ['for what is parked'] : []),
  ];
  return wrong.length === 0 ? [] : everywhere(...PERMISSIONS);
}

function coversMore(change: RowChange, { now }: World): boolean {
  const { before, after } = change;
  const [was, is] = [String(before?.['expire_at'] ?? '9999'), String(after['expire_at'] ?? '9999')];
  return (
    was < now || is > was || differs(change, 'plate', 'site_id', 'active_from', 'rules', 'status', 'type')
  );
}

function endsLate({ active_from: from, expire_at: end }: Row, { now }: World, { minutes }: Author): boolean {
  if (minutes === null) return false;
  if (typeof end !== 'string') return true;
  const begin = typeof from === 'string' && from > now ? from : now;
  return Date.parse(end) > Date.parse(begin) + minutes * 60_000;
}

function held({ tables, now }: World, { author }: Author): number {
  return tables
    .rows('whitelist_entry')
    .filter((row) => row['author'] === author && row['status'] !== 'deleted')
    .filter(({ expire_at: end }) => typeof end !== 'string' || millis(now) < Date.parse(end)).length;
}

/**
 * The fields that the gate follows, and those of the amount due. The customer of a visit follows from
 * custody.
 */
const OF_VISIT = [
  'site_id',
  'plate',
  'status',
  'payment_status',
  'started_at',
  'ended_at',
  'units_met',
  'paid_minor',
  'paid_until',
];

const visit: Meter = (change, { siteOf }) => {
  // A visit with an erased plate is worth less.
  const columns = change.after['plate'] === null ? OF_VISIT.filter((one) => one !== 'plate') : OF_VISIT;
  if (!differs(change, ...columns)) return [];
  const permissions = ['visits', 'money', 'devices'] as const;
  return [{ permissions, either: true, sites: at(siteOf(change.after['site_id'])) }];
};

/**
 * The right to reverse or mark an invoice. The register determines the payer. What a holder orders for the own customer is
 * a debt, and gives nothing before it is paid.
 */
const invoice: Meter = (change, { siteOf }, giver) => {
  const isOwnOrder =
    giver.kind === 'author' &&
    change.before === null &&
    change.after['customer_id'] === giver.customerId &&
    change.after['visit_id'] === null &&
    change.after['status'] === 'draft';
  if (isOwnOrder) return [];
  const sites = at(siteOf(change.after['site_id']));
  const isTakenBack = change.after['credit_of'] !== null || change.after['refunded_at'] !== null;
  if (
    differs(change, 'credit_of', 'refunded_at', 'remote_status') &&
    (change.before !== null || isTakenBack)
  ) {
    return [{ permissions: ['money'], sites }];
  }
  return change.before === null ? [{ permissions: ['visits', 'money', 'devices'], either: true, sites }] : [];
};

const zone: Meter = (change, { siteOf }) => [
  {
    permissions: differs(change, 'site_id', 'name', 'settings') ? ['devices'] : ['lanes'],
    sites: at(siteOf(change.after['site_id'])),
  },
];

const site: Meter = (change, { siteOf }) => [
  {
    permissions: [change.before !== null && differs(change, 'approval_limits') ? 'people' : 'devices'],
    sites: differs(change, 'archived_at', 'created_at') ? null : at(siteOf(change.after['id'])),
  },
];

/** The worth of rows, by their table. */
export const METERS: Readonly<Record<string, Meter>> = {
  account: (change, world, giver) => {
    const isOwnName = giver.accountId === change.after['id'] && !hasGrown(change);
    if (isOwnName || !hasGrown(change) || isOfOwnPeople(change.after, giver)) return [];
    return worthOfAccount(change.after, world);
  },
  login: ({ after }, world, giver) => worthOfEntering(after['account_id'], world, giver),
  recovery: ofItsLogin,
  passkey: ofItsLogin,
  totp: ofItsLogin,
  recovery_code: ofItsLogin,
  token,
  api_key: () => everywhere(...PERMISSIONS),
  customer: (change) => customer(change),
  customer_quota: quota,
  custodian,
  vehicle: whereChanged(['overrides'], ({ before, after }) =>
    before === null && after['overrides'] === null ? [] : everywhere('visits'),
  ),
  whitelist_entry: entry,
  webhook,
  product: ofItsSite('tariffs'),
  visit,
  settlement: oneOfAtItsSite('visits', 'money', 'devices'),
  invoice,
  payment: oneOfAtItsSite('money', 'visits'),
  online_refund: ({ after }, { tables, siteOf }) => [
    {
      permissions: ['money'],
      sites: at(siteOf(tables.find('payment', 'id', after['payment_id'])?.['site_id'])),
    },
  ],
  billing_run: () => everywhere('money'),
  claim: ofSiteOrAll('money'),
  day_close: ofSiteOrAll('money'),
  day_difference: ({ after }, { tables, siteOf }) => [
    {
      permissions: ['money'],
      sites: placeOf(tables.find('day_close', 'id', after['close_id'])?.['site_id'], siteOf),
    },
  ],
  collection_file: ofSiteOrAll('money'),
  reminder: ofSiteOrAll('money'),
  reminder_terms: ofItsSite('money'),
  site_closing: ofItsSite('money'),
  site,
  site_enrolment: ofItsSite('devices'),
  site_opening: ofItsSite('devices'),
  camera: ofItsSite('devices'),
  zone,
  zone_correction: ({ after }, { tables, siteOf }) => [
    { permissions: ['lanes'], sites: at(siteOf(tables.find('zone', 'id', after['zone_id'])?.['site_id'])) },
  ],
  opening: ofItsSite('lanes'),
  help_call: ofItsSite('lanes'),
  snapshot: oneOfAtItsSite('lanes', 'devices'),
  photo: oneOfAtItsSite('visits', 'devices'),
  review_answer: ofItsSite('visits'),
  match_proposal: ofItsSite('visits'),
  edge_package: () => everywhere('devices'),
  rollout: () => everywhere('devices'),
  rollout_site: ofItsSite('devices'),
  driver_vehicle: () => everywhere('people'),
  driver_card: () => everywhere(...PERMISSIONS),
};

/** Tables with rows that give no rights, and why. */
export const GIVES_NOTHING: Readonly<Record<string, string>> = {
  audit: 'what was done',
  charge: 'follows from a settlement',
  chargeback: 'money that a bank has taken back',
  cloud_instance: 'the processes',
  device_change: 'what a site reports',
  approval: 'a question to a second person; what that gives is in other tables',
  dispute: 'a question and its answer; what that gives is in other tables',
  dispute_message: 'what two sides write to each other',
  dispute_read: 'pictures that stay longer',
  doubtful_car: 'what a site reports, or what becomes of it',
  driver: 'made by drivers alone; operators change the language',
  driver_charge: 'of a driver and its own card',
  driver_link: 'goes to the driver alone',
  bank_agreement: 'what was agreed with a bank; only operators of every site set it',
  claim_movement: 'what a bank reports',
  claim_series: 'numbers of claims',
  closed_book: 'the postings of a day that was closed',
  collection_item: 'what a file for a collector says; the file is its worth',
  e_invoice: 'invoices on their way to their payers, and receipts to a driver’s company',
  electronic_id_device: 'a login that is under way',
  electronic_id_session: 'a login that is under way',
  ending_author: 'permits that end',
  event_cursor: 'what a site reports',
  feed_change: 'sends to sites what is in other tables',
  feed_head: 'sends to sites what is in other tables',
  feed_item: 'sends to sites what is in other tables',
  first_steps_away: 'a list that an account does not want to see',
  forgotten_card: 'cards that are gone',
  gate_movement: 'what a site reports',
  idempotency_key: 'answers that were given',
  income: 'sums of invoices',
  income_product: 'sums of invoices',
  income_vat: 'sums of invoices',
  integration_event: 'tells of other tables',
  invoice_series: 'numbers of invoices',
  invoice_snapshot: 'invoices as they were sent',
  job: 'the runs of the cloud',
  kiosk_order: 'an order to pay',
  lane_alert: 'what a site reports',
  lane_passage: 'what lanes without an edge have seen',
  login_attempt: 'counts failed logins',
  loose_picture: 'pictures to be deleted',
  mail: 'sends what is in other tables',
  online_payment: 'somebody pays',
  passage_decision: 'what a lane decided',
  passkey_challenge: 'a login that is under way',
  pay_order: 'an order to pay',
  product_version: 'products as they were',
  provider_event: 'what a bank reports',
  quota_purchase: 'an order to pay; what it buys is a quota',
  quota_visit: 'units that a visit has used',
  registry_state: 'how the register answers',
  rejected_event: 'what a site reports',
  retention_cursor: 'what is to be erased',
  retention_log: 'what was erased',
  match_confusion: 'how cameras misread',
  review_claim: 'who looks at a picture now',
  run: 'a look at a draft, which changes nothing',
  run_visit: 'what a look at a draft has found',
  schema_note: 'of the migrations',
  server_secret: 'of the cloud itself',
  site_device: 'what a site reports',
  site_presence: 'what a site reports',
  site_software: 'what a site reports',
  standing_plate: 'what lanes without an edge have seen',
  terminal_day: 'what a site reports',
  money_account: 'whose files are read; it gives nothing',
  money_file: 'a file as it was read',
  bookkeeping_plan: 'names of accounts in files; it gives nothing',
  settlement_batch: 'what a provider reports',
  settlement_row: 'what a provider reports',
  bank_statement: 'what a bank reports',
  bank_entry: 'what a bank reports',
  traffic: 'sums of visits',
  training: 'of the database itself',
  site_day: 'sums of visits',
  device_day: 'sums of what a site reports',
  permit_month: 'sums of visits',
  camera_hour: 'sums of reads and visits',
  vehicle_absence: 'what the register does not know',
  view: 'an address; who opens it sees what they may',
  visit_notice: 'a notice that was delivered',
  visit_receipt: 'a receipt that was sent',
  visit_step: 'the history of a visit',
  webhook_delivery: 'what a webhook has sent',
};

/** Whether the giver has the rights that a row is worth. */
export function hasValue(giver: Giver, { permissions, either, sites }: Worth): boolean {
  if (giver.kind === 'author') return false;
  const { permissions: own } = giver;
  const isAllowed =
    either === true
      ? own === null || (permissions?.some((one) => own.includes(one)) ?? false)
      : covers(own, permissions);
  return isAllowed && covers(giver.sites, sites);
}
