import { BANK_FIELDS, FILE_KINDS, SETTLEMENT_FIELDS } from '@hlid/protocol/base/books-files';
import { hideCardNumbers } from '@hlid/protocol/base/card-number';
import { createRoute, z } from '@hono/zod-openapi';
import { inputError } from '../../platform/http/errors.ts';
import { BOOKS_FILE_BYTES } from '../../platform/http/limit-bodies.ts';
import { json, LIST_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { KindOfTextSchema, MappingFormatFields, MappingSigns } from '../files/column-mapping.ts';
import { proposeMapping } from '../files/propose-mapping.ts';

const { delimiter, encoding, decimal, thousands, dateFormat, skipLines } = MappingFormatFields;

const CsvSampleSchema = z
  .strictObject({
    delimiter,
    encoding,
    decimal,
    thousands,
    dateFormat,
    skipLines,
    columns: z
      .partialRecord(z.enum([...SETTLEMENT_FIELDS, ...BANK_FIELDS]), z.string())
      .describe('By field, the column that seems to be it.'),
    kinds: z.record(z.string(), KindOfTextSchema),
    signs: MappingSigns.signs,
    fees: MappingSigns.fees,
    found: z
      .array(
        z.strictObject({
          name: z.string(),
          samples: z
            .array(z.string())
            .describe('Different texts of its first rows; card numbers are hidden.'),
        }),
      )
      .describe('The columns, in the order of the file.'),
  })
  .meta({ id: 'CsvSample' });

const sampleRoute = createRoute({
  method: 'post',
  path: '/csv-samples',
  tags: ['Books'],
  summary: 'Propose how to read a CSV of a provider or a bank',
  description:
    'For the `mapping` of an account: which columns the file has, and what they seem to be. Nothing is stored. What is ' +
    'proposed is a guess by names and cells, and a person decides.',
  request: {
    query: z.strictObject({ kind: z.enum(FILE_KINDS) }),
    body: {
      required: true,
      content: {
        // Typed as text, as OpenAPI has it.
        ['application/octet-stream' as string]: {
          schema: z.string().max(BOOKS_FILE_BYTES).openapi({ example: 'Dags.;Upphæð;Skýring\n…' }),
        },
      },
    },
  },
  responses: {
    200: { description: 'What was found', content: json(CsvSampleSchema) },
    ...LIST_REFUSALS,
  },
});

/** Samples of files, for the mapping of their columns. */
export function csvSampleRoutes() {
  return createRouter().openapi(sampleRoute, async (c) => {
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    const looked = proposeMapping(bytes, c.req.valid('query').kind);
    if (!looked.ok) return inputError(c, ...looked.mistakes);
    const { found, ...proposed } = looked.proposed;
    const shown = found.map(({ name, samples }) => ({ name, samples: samples.map(hideCardNumbers) }));
    return c.json({ ...proposed, found: shown }, 200);
  });
}
