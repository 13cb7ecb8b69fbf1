import { expect, it } from 'vitest';
import { z } from 'zod';
import { mistakeLines } from './mistake-words.ts';

const Schema = z.strictObject({
  level: z.enum(['debug', 'info']).optional(),
  port: z.int().max(65_535).optional(),
  name: z.string().optional(),
  secret: z.string().min(8).optional(),
  key: z.string().regex(/^age1/).optional(),
  name2: z.string().regex(/^age1/).optional(),
  url: z.url().optional(),
  devices: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('http'), host: z.string() }),
        z.strictObject({ kind: z.literal('onvif'), user: z.string() }),
      ]),
    )
    .optional(),
  store: z.union([z.strictObject({ file: z.string() }), z.strictObject({ bucket: z.string() })]).optional(),
});

it.each([
  [{ level: 'debgu' }, 'level: must be one of debug, info (written: “debgu”; did you mean “debug”?)'],
  [{ port: '80' }, 'port: must be a number (written: “80”); without quotes'],
  [{ port: 70_000 }, 'port: must be at most 65535 (written: “70000”)'],
  [{ name: 123 }, 'name: must be text (written: “123”); put it in quotes'],
  [{ nmae: 'x' }, 'nmae: there is no such setting; did you mean name?'],
  [{ secret: 'short' }, 'secret: must have at least 8 characters'],
  [{ secret: 12_345_678 }, 'secret: must be text; put it in quotes'],
  [{ key: 'AGE-SECRET-KEY-1QYQ' }, 'key: is not written as it is described'],
  [{ name2: 'AGE-SECRET-KEY-1QYQ' }, 'name2: is not written as it is described'],
  [{ name2: '-----BEGIN PRIVATE KEY-----' }, 'name2: is not written as it is described'],
  [{ name2: 'sk_live_4eC39' }, 'name2: is not written as it is described'],
  [{ url: '//user:word@host' }, 'url: is not a web address (written: “…@host”)'],
  [
    { devices: [{ kind: 'htpp' }] },
    'devices[0].kind: must be one of http, onvif (written: “htpp”; did you mean “http”?)',
  ],
  [
    { devices: [{ kind: 'http', hots: 'x', host: 'x' }] },
    'devices[0].hots: there is no such setting; did you mean host?',
  ],
  [{ store: { file: 1 } }, 'store.file: must be text (written: “1”); put it in quotes'],
  [{ store: 'here' }, 'store: has none of the forms that are described (written: “here”)'],
  ['text', 'must be an object (written: “text”)'],
])('%j', (value, line) => {
  const { error } = Schema.safeParse(value);
  expect(error && mistakeLines(Schema, value, error)).toEqual([line]);
});
