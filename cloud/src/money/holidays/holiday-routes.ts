import { mistake, wrong } from '@hlid/protocol/base/mistakes/mistake';
import { createRoute, z } from '@hono/zod-openapi';
import { inputError } from '../../platform/http/errors.ts';
import { wholeList } from '../../platform/http/list-envelope.ts';
import { responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { listHolidayCountries, listPublicHolidays } from './public-holidays.ts';

const tags = ['Products'];

/** The number of known codes that a refusal names. */
const NAMED_CODES = 5;

const NameSchema = z.strictObject({ is: z.string(), en: z.string() });

const HolidayCountrySchema = z
  .strictObject({
    country: z.string().describe('Two letters, by ISO 3166.'),
    name: NameSchema,
    regions: z
      .array(z.strictObject({ region: z.string(), name: z.string() }))
      .describe('Parts of the country with holidays of their own.'),
  })
  .meta({
    id: 'HolidayCountry',
    example: { country: 'IS', name: { is: 'Ísland', en: 'Iceland' }, regions: [] },
  });

const PublicHolidaySchema = z
  .strictObject({
    date: z.iso.date(),
    day: z
      .string()
      .describe(
        'The day for `holidays` of a tariff: `12-25` if the holiday has the same date every year, ' +
          'else its date in this year.',
      ),
    from: z.string().nullable().describe('The time at which the holiday begins; null: it is the whole day.'),
    name: NameSchema.describe('The name; in another language of the country if there is none in this one.'),
  })
  .meta({
    id: 'PublicHoliday',
    example: {
      date: '2027-03-26',
      day: '2027-03-26',
      from: null,
      name: { is: 'Föstudagurinn langi', en: 'Good Friday' },
    },
  });

const listRoute = createRoute({
  method: 'get',
  path: '/holidays',
  tags,
  summary: 'The public holidays of a country in a year',
  description: 'For `holidays` of a tariff. Check them: governments change holidays at short notice.',
  request: {
    query: z.strictObject({
      country: z
        .string()
        .regex(/^[A-Z]{2}$/, wrong('country-form'))
        .openapi({ example: 'IS' }),
      region: z
        .string()
        .min(1)
        .max(20)
        .optional()
        .openapi({ example: 'BY' })
        .describe('A part of the country; absent: the holidays of the whole country.'),
      year: z.coerce.number().int().min(2000).max(2100).openapi({ example: 2027 }),
    }),
  },
  responses: responses.list(PublicHolidaySchema, 'Its public holidays, in order'),
});

const countriesRoute = createRoute({
  method: 'get',
  path: '/holidays/countries',
  tags,
  summary: 'List the countries with known public holidays',
  request: { query: z.strictObject({}) },
  responses: responses.list(HolidayCountrySchema, 'Countries'),
});

export function holidayRoutes() {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { country, region, year } = c.req.valid('query');
      const countries = await listHolidayCountries();
      const known = countries.find((one) => one.country === country);
      if (known === undefined)
        return inputError(
          c,
          notOneOf(
            'country',
            countries.map((one) => one.country),
          ),
        );
      const regions = known.regions.map((one) => one.region);
      if (region !== undefined && !regions.includes(region)) {
        return inputError(c, notOneOf('region', regions));
      }
      return c.json(wholeList(await listPublicHolidays(country, region, year)), 200);
    })
    .openapi(countriesRoute, async (c) => c.json(wholeList(await listHolidayCountries()), 200));
}

function notOneOf(parameter: string, known: readonly string[]) {
  const values = known.slice(0, NAMED_CODES);
  return mistake('not-one-of', parameter, { values, more: known.length - values.length });
}
