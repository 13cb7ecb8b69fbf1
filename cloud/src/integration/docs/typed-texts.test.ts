import { readFileSync } from 'node:fs';
import { hideCardNumbers } from '@hlid/protocol/base/card-number';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi } from '../../../test/api.ts';
import { OWN_CUSTOMER } from '../../../test/fuzz/people.ts';
import { rowMakerOf, seedForFuzz } from '../../../test/fuzz/seed.ts';
import { openApiDocument } from './openapi-document.ts';

const CARD = 'Kort 4111 1111  1111 1111';
const LEFT = '1111  1111 1111';

/** The fields whose texts people do not type: names of things, secrets, addresses. */
const NO_TEXT =
  /(^|\.)(id|.*Id|.*_uuid|password|currentPassword|secret|code|provider|url|payOnline|type|ssn|billingSsn|email|phone|account|customer|customerId|product|visit|terminal|plate|remoteId|tokenId|timeZone|currency|language|country|electronicAddress)$/;

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  example?: unknown;
}
interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}

it('keeps no card number that a person types into any text of any body', async () => {
  const api = await createTestApi();
  const document = JSON.parse(JSON.stringify(openApiDocument(api.app))) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const resolved = (schema: Schema): Schema =>
    schema.$ref === undefined
      ? schema
      : (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  const textsIn = (given: Schema, place = ''): string[] => {
    const schema = resolved(given);
    const isText =
      [schema.type].flat().includes('string') && !(schema.enum ?? schema.pattern ?? schema.format);
    const inside = Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      textsIn(one, place === '' ? name : `${place}.${name}`),
    );
    return [...(isText && !NO_TEXT.test(place) ? [place] : []), ...inside];
  };
  try {
    await seedForFuzz(api);
    const taken: string[] = [];
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [verb, { requestBody }] of Object.entries(item)) {
        const schema = requestBody?.content['application/json']?.schema;
        const method = verb.toUpperCase();
        if (schema === undefined || path.startsWith('/photos/')) continue;
        for (const [n, place] of textsIn(schema).entries()) {
          const row = (await rowMakerOf(method, path)?.(api, 2 * n)) ?? {};
          const fitting = z.record(z.string(), z.unknown()).safeParse(row.body);
          const example = z.record(z.string(), z.unknown()).parse(resolved(schema).example);
          const body = withText({ ...example, ...fitting.data }, place.split('.'));
          const address = path.replaceAll(
            /\{(\w+)\}/g,
            (_, name: string) => row.path?.[name] ?? OWN_CUSTOMER,
          );
          const { status } = await api.call(method, address, { body });
          if (status < 400) taken.push(`${method} ${path} ${place}`);
        }
      }
    }
    // Refused bodies keep nothing.
    expect(taken.length).toBeGreaterThan(20);
    const disk = [api.file, `${api.file}-wal`].map((file) => readFileSync(file).toString('latin1')).join('');
    expect(disk).toContain(hideCardNumbers(CARD));
    const at = disk.indexOf(LEFT);
    expect(at === -1 ? '' : disk.slice(at - 200, at + 20)).toBe('');
  } finally {
    await api.close();
  }
});

function withText(
  body: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
): Record<string, unknown> {
  const inside = z.record(z.string(), z.unknown()).safeParse(body[name]);
  return { ...body, [name]: rest.length === 0 ? CARD : withText(inside.data ?? {}, rest) };
}
