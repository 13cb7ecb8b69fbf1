import { fileURLToPath } from 'node:url';
import { isAboutDevices } from '@hlid/protocol/site-link/commands';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { deviceAnswers } from '../../../test/devices.ts';
import {
  type DescribedCall,
  type Draft,
  draftsOf,
  makeCall,
  NEVER_SUCCEEDS,
  type Operation,
} from '../../../test/fuzz/calls.ts';
import type { FuzzRow } from '../../../test/fuzz/people.ts';
import type { Schema } from '../../../test/fuzz/schema-arbitrary.ts';
import { rowMakerOf, seedForFuzz } from '../../../test/fuzz/seed.ts';
import { terminalAnswers } from '../../../test/terminal.ts';
import { TestingElectronicId } from '../../platform/electronic-id/testing-electronic-id.ts';
import { FileRegistry } from '../../platform/vehicle-registry/file-registry.ts';
import { openApiDocument } from './openapi-document.ts';

/** Calls of each operation. More of them, and others: `HLID_FUZZ_SEED=7 HLID_FUZZ_RUNS=500`. */
const RUNS = Number(process.env['HLID_FUZZ_RUNS'] ?? 20);
const SEED = Number(process.env['HLID_FUZZ_SEED'] ?? 20261121);
/** Operations that hash passwords are slow on purpose. */
const SLOW =
  /^(POST \/auth\/login|POST \/session(\/step-up)?|POST \/recover|POST \/accounts|POST \/customers|POST .*\/logins|.*change-password|POST .*\/enrol(?:ment)?)$/;
const runsOf = (name: string) => (SLOW.test(name) ? Math.ceil(RUNS / 3) : RUNS);

/** Words of the validator's own messages, which are for programmers. */
const VALIDATOR_WORDS =
  /Invalid (input|option|string|ISO|key|UUID|URL|email)|Too (big|small)|Unrecognized|expected|received/i;

/** Rows that an operation which reads finds; one that writes gets a new one each time, for it may use it up. */
const ROWS_FOR_READING = 5;

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const METHODS = ['get', 'post', 'put', 'delete'] as const;

// Read before there is an API: the operations are what the tests are made of.
const described = await createTestApi();
const document = JSON.parse(JSON.stringify(openApiDocument(described.app))) as Document;
await described.close();

const calls = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method): (DescribedCall & { name: string })[] => {
    const operation = item[method];
    const name = `${method.toUpperCase()} ${path}`;
    return operation === undefined ? [] : [{ name, method: method.toUpperCase(), path, operation }];
  }),
);

// Each component is compiled once, and not again in every answer that has it.
const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'openapi', components: document.components });

const lookup = (ref: string): Schema => document.components.schemas[ref.split('/').at(-1) ?? ''] ?? {};
/** The same schema for a validator that knows the components as another document. */
const located = (schema: Schema): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/'));
/**
 * Validators are kept by the text of the schema: nearly all operations share a few answers, and compiling
 * takes longer than a call.
 */
const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: Schema): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = validators.get(text) ?? ajv.compile(located(schema));
  validators.set(text, known);
  return known;
}

const REGISTRY = fileURLToPath(new URL('../../../../tests/fixtures/vehicles/registry.json', import.meta.url));

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi({
    vehicleRegistry: new FileRegistry(REGISTRY),
    electronicId: new TestingElectronicId({ kind: 'testing', people: [] }),
  });
  await seedForFuzz(api);
  // Without these, no terminal or device would answer a command.
  const [ofTerminal, ofDevices] = [terminalAnswers(), deviceAnswers(api)];
  api.bus.play(api.site.id, (command) =>
    isAboutDevices(command) ? ofDevices(command) : ofTerminal(command),
  );
});
afterAll(() => api.close());

/** The rows that calls of an operation are about, one after the other. */
function rowsFor({ method, path }: DescribedCall): () => Promise<FuzzRow> {
  const make = rowMakerOf(method, path);
  const made: FuzzRow[] = [];
  let n = 0;
  return async () => {
    if (make === null) return {};
    const known = method === 'GET' ? made[n % ROWS_FOR_READING] : undefined;
    const row = known ?? (await make(api, n));
    made.push(row);
    n++;
    return row;
  };
}

describe('every operation, with right and with broken input', () => {
  it.each(calls)(
    '$name',
    async (call) => {
      const { name, operation } = call;
      const nextRow = rowsFor(call);
      const statuses: number[] = [];
      await fc.assert(
        fc.asyncProperty(draftsOf(call, lookup), async (draft: Draft) => {
          const answer = await makeCall(api, call, draft, await nextRow());
          const what = `${name} answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 500)}`;
          statuses.push(answer.status);
          expect(answer.status, what).not.toBe(500);
          const response = operation.responses[String(answer.status)];
          expect(response, `${what}, which is not described`).toBeDefined();
          const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
          const content = response?.content?.[type];
          if (response?.content !== undefined)
            expect(content, `${what}, as ${type}, which is not described`).toBeDefined();
          if (content === undefined || type !== 'application/json') return;
          const validate = validatorOf(content.schema);
          expect(validate(answer.body), `${what}\n${ajv.errorsText(validate.errors)}`).toBe(true);
          if (answer.status < 400) return;
          expect(answer.body['messages']).not.toEqual([]);
          expect(JSON.stringify(answer.body['messages']), what).not.toMatch(VALIDATOR_WORDS);
        }),
        { numRuns: runsOf(name), seed: SEED, endOnFailure: true },
      );
      const successes = statuses.filter((status) => status < 400).length;
      // Without a success, only refusals would be tested.
      if (!NEVER_SUCCEEDS.test(name)) expect(successes, `${statuses}`).toBeGreaterThan(0);
    },
    180_000,
  );
});

it('prototypes are as they were', () => {
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
