import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import {
  type ApiDocument,
  driveIngest,
  driveLessons,
  driveLists,
  driveOperations,
  driveRuns,
} from '../../../test/drive-everything.ts';
import { openApiDocument } from '../../integration/docs/openapi-document.ts';
import { FileRegistry } from '../vehicle-registry/file-registry.ts';

/** Tables of as many rows as there are sites, cameras or prices, or of what lives for minutes: any plan will do. */
const SMALL = new Set([
  'site',
  'site_presence',
  'site_closing',
  'reminder_terms',
  'money_account',
  'camera',
  'zone',
  'product',
  'api_key',
  'webhook',
  'job',
  'feed_head',
  'event_cursor',
  'billing_run',
  'bookkeeping_plan',
  'bank_agreement',
  'claim_series',
  'money_account',
  'retention_cursor',
  'registry_state',
  'site_enrolment',
  'ending_author',
  // Openings under way.
  'opening',
  'site_device',
  'site_opening',
  // The newest few of each device.
  'device_change',
  'lane_passage',
  'standing_plate',
  'review_claim',
  // As many as a camera's characters can be confused.
  'match_confusion',
  // Each is an upgrade of every site.
  'rollout',
  'edge_package',
  'site_software',
  // Written by people, one by one, and erased once they are answered and old.
  'dispute',
  // Events that could not be understood.
  'rejected_event',
]);

/** Columns in which many rows have the same: what one of them alone leads to grows with the traffic. */
const WIDE = new Set([
  'status',
  'site_id',
  'customer_id',
  'payment_status',
  'remote_status',
  'type',
  'role',
  'kind',
  'effect',
  'collection',
  'subject',
  'by',
  'open',
  'source',
]);

/** The plans that are accepted all the same, each with its reason. */
const ALLOWED: readonly { line: RegExp; of?: RegExp; reason: string }[] = [
  {
    line: /^SCAN (visit|photo|vehicle|whitelist_entry|passage_decision)\b/,
    of: /\+"passage_decision"."(open|direction)" = |"ended_at" is not null|"source" <> 'test'|"overrides" IS NULL|"status" <> 'deleted'|"effect" = |where true/,
    reason: 'nearly all rows fit: a page is soon full, and so is the count',
  },
  {
    line: /^SCAN visit\b/,
    of: /EXISTS \(SELECT 1 FROM "invoice" WHERE "invoice"."status" = 'paid'\)/,
    reason: 'where there are paid invoices at all, most visits have one',
  },
  {
    line: /^SEARCH feed_change USING/,
    of: /^delete from "feed_change" where "feed_change"."site_id" = \?$/,
    reason: 'a site that is deleted was never in use: its feed is what it began with',
  },
  {
    line: /^SCAN doubtful_car\b/,
    reason: 'no more cars wait in doubt than there are exits',
  },
  {
    line: /^SEARCH visit USING COVERING INDEX visit_by_status/,
    of: /"status" = 'need-plate'/,
    reason: 'visits that wait for a person are few',
  },
  {
    line: /^SEARCH invoice USING (COVERING )?INDEX invoice_by_(accounting|status)/,
    of: /"status" = '(refunded|incomplete|failed|draft)'/,
    reason: 'invoices that are not paid are few',
  },
  {
    line: /^SCAN claim USING INDEX claim_by_invoice/,
    of: /"claim"."movements" > 0 group by/,
    reason:
      'a company has a claim a month: the report of receivables compares all of them with their invoices',
  },
  {
    line: /^SEARCH invoice USING COVERING INDEX invoice_by_(accounting|status)/,
    of: /EXISTS \(SELECT 1 FROM "invoice" WHERE "invoice"."status" = 'paid'\)/,
    reason: 'it ends at the first one',
  },
  {
    line: /^SEARCH invoice USING INDEX invoice_by_(customer|site|accounting|status)/,
    of: /order by "invoice"."amount_minor"/,
    reason: 'by amount, what a filter finds is sorted, and only a page of it is kept',
  },
  {
    line: /^SEARCH invoice USING INDEX invoice_by_customer/,
    of: /"claim"."invoice_id" IN \(SELECT/,
    reason: 'the claims of a customer are found by its invoices, and only a page of them is kept',
  },
  {
    line: /^SCAN claim USING INDEX claim_by_time/,
    of: /"claim"."due_on" < \?/,
    reason: 'nearly all claims were due before a day of the last months: a page is soon full',
  },
  {
    line: /^SCAN reminder\b/,
    of: /"delivered_at" is not null/,
    reason: 'nearly all reminders are delivered: a page is soon full, and so is the count',
  },
  {
    line: /^SEARCH visit USING INDEX visit_by_customer/,
    of: /order by ("visit"."(plate|ended_at)"|\("visit"."ended_at" - )|"visit"."(ended_at|plate)" is null\) order by/,
    reason:
      'in other orders than by their start, a customer’s own visits are sorted, and only a page of them is kept',
  },
  {
    line: /^SEARCH visit USING INDEX visit_by_customer/,
    of: /"payer_ssn" = /,
    reason: 'a payer’s visits come by two ways, and are sorted together',
  },
  {
    line: /^(SEARCH|SCAN) (account|custodian|customer|product_version)\b/,
    reason:
      'made by people, one by one: a company has tens or hundreds of them, and so has the price of a site',
  },
  {
    line: /^SCAN whitelist_entry USING COVERING INDEX whitelist_by_type/,
    of: /"type" <> 'permanent' limit/,
    reason: 'counts up to a limit, and temporary entries are most of them',
  },
  {
    line: /^SCAN whitelist_entry USING COVERING INDEX whitelist_by_status/,
    of: /^select count\(\*\) from .* limit \?\) "some"$/s,
    reason: 'counts up to a limit in one index that has all it asks for',
  },
  {
    line: /^SCAN mail/,
    of: /instr\(/,
    reason: 'everything about one plate, on request: rare, and to be complete',
  },
];

let api: TestApi;
/** Statements by text: what was being done when each was first prepared. */
const statements = new Map<string, string>();

beforeAll(async () => {
  let now = 'the start';
  const doing = (what: string) => {
    now = what;
  };
  const registry = fileURLToPath(
    new URL('../../../../tests/fixtures/vehicles/registry.json', import.meta.url),
  );
  api = await createTestApi({ vehicleRegistry: new FileRegistry(registry) }, (text) => {
    if (!statements.has(text)) statements.set(text, now);
  });
  const document: ApiDocument = JSON.parse(JSON.stringify(openApiDocument(api.app)));
  await driveIngest(api, doing);
  await driveLists(api, document, doing);
  await driveOperations(api, document, doing);
  await driveLessons(api, doing);
  await driveRuns(api, doing);
});
afterAll(() => api.close());

const PlanSchema = z.array(z.looseObject({ detail: z.string() }));
const NamesSchema = z.array(z.looseObject({ name: z.string() }));

/** The schema of the database; without statistics its plans are the same for any number of rows. */
function schemaOf(database: Database.Database) {
  const names = (condition: string) =>
    new Set(
      NamesSchema.parse(database.prepare(`SELECT name FROM sqlite_master WHERE ${condition}`).all()).map(
        ({ name }) => name,
      ),
    );
  return {
    tables: names("type = 'table'"),
    /** Indexes of the few rows that need work; one that leaves out only null has many rows. */
    partialIndexes: names(
      "type = 'index' AND sql LIKE '% WHERE %' AND name NOT IN ('invoice_by_customer', 'invoice_by_card', 'invoice_by_payer')",
    ),
  };
}

/** Whether a line of a plan goes through a share of the rows of a table that grows. */
function goesThrough(
  line: string,
  text: string,
  schema: ReturnType<typeof schemaOf>,
  readsAll: boolean,
): boolean {
  const [, how, name = ''] = /^(SCAN|SEARCH) (\w+)/.exec(line) ?? [];
  const table = schema.tables.has(name) ? name : (new RegExp(`"(\\w+)" "${name}"`).exec(text)?.[1] ?? name);
  if (how === undefined || SMALL.has(table) || !schema.tables.has(table)) return false;
  const index = /INDEX (\w+)/.exec(line)?.[1];
  if (index !== undefined && schema.partialIndexes.has(index)) return false;
  // A page in the order of an index ends when it is full: soon, where nothing is left out.
  // (Drizzle writes its own `where` small.)
  if (how === 'SCAN') return readsAll || / where /.test(text);
  const columns = [...line.matchAll(/(\w+)(?:=|<|>)\?/g)].map(([, column = '']) => column);
  return readsAll && columns.length > 0 && columns.every((column) => WIDE.has(column));
}

/**
 * Whether a repeated run reads rows from before a moment, and then leaves some of them out. Unless something
 * deletes those, their number grows each day.
 */
function isOpenBelow(line: string, text: string, schema: ReturnType<typeof schemaOf>): boolean {
  const [, table = '', index = ''] =
    /^SEARCH (\w+) USING (?:COVERING )?INDEX (\w+) \(\w+<\?\)$/.exec(line) ?? [];
  const leavesOut = / and /.test(text);
  return schema.tables.has(table) && !SMALL.has(table) && !schema.partialIndexes.has(index) && leavesOut;
}

it('the database is asked for everything', () => {
  const all = [...statements.keys()].join('\n');
  for (const table of [
    'visit',
    'photo',
    'invoice',
    'audit',
    'mail',
    'integration_event',
    'passage_decision',
  ]) {
    expect(all).toMatch(new RegExp(`from "${table}"`));
  }
  expect(statements.size).toBeGreaterThan(1500);
});

it('no statement goes through a share of the rows of a table that grows', () => {
  const database = new Database(api.dbPath);
  const schema = schemaOf(database);
  const used = new Set<string>();
  const faults: object[] = [];
  for (const [text, doing] of statements) {
    const plan = PlanSchema.parse(database.prepare(`EXPLAIN QUERY PLAN ${text}`).all());
    const lines = plan.map(({ detail }) => detail);
    const sorts = lines.some((line) => /TEMP B-TREE FOR (ORDER|GROUP)/.test(line));
    const readsAll = sorts || !/\blimit\b/i.test(text);
    const goes = (line: string) =>
      goesThrough(line, text, schema, readsAll) ||
      (doing.startsWith('the run ') && isOpenBelow(line, text, schema));
    for (const line of lines.filter(goes)) {
      const allowed = ALLOWED.find((one) => one.line.test(line) && (one.of?.test(text) ?? true));
      if (allowed === undefined) faults.push({ doing, line, text });
      else used.add(allowed.reason);
    }
  }
  database.close();
  expect(faults).toEqual([]);
  expect([...used].sort()).toEqual([...new Set(ALLOWED.map(({ reason }) => reason))].sort());
});
