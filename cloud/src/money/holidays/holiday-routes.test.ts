import { TariffSchema } from '@hlid/protocol/tariff/tariff';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const HolidaySchema = z.object({
  date: z.string(),
  day: z.string(),
  from: z.string().nullable(),
  name: z.object({ is: z.string(), en: z.string() }),
});
const CountrySchema = z.object({
  country: z.string(),
  name: z.object({ is: z.string(), en: z.string() }),
  regions: z.array(z.object({ region: z.string(), name: z.string() })),
});

async function holidays(query: string) {
  const { status, body } = await api.call('GET', `/holidays?${query}`);
  expect(status).toBe(200);
  return z.object({ data: z.array(HolidaySchema) }).parse(body).data;
}

describe('public holidays of a country', () => {
  it('are those of Iceland in 2027, in both languages', async () => {
    const found = await holidays('country=IS&year=2027');
    expect(found.map(({ date, day, from, name }) => [date, day, from, name.en])).toEqual([
      ['2027-01-01', '01-01', null, "New Year's Day"],
      ['2027-03-25', '2027-03-25', null, 'Maundy Thursday'],
      ['2027-03-26', '2027-03-26', null, 'Good Friday'],
      ['2027-03-28', '2027-03-28', null, 'Easter Sunday'],
      ['2027-03-29', '2027-03-29', null, 'Easter Monday'],
      ['2027-04-22', '2027-04-22', null, 'First Day of Summer'],
      ['2027-05-01', '05-01', null, 'Labour Day'],
      ['2027-05-06', '2027-05-06', null, 'Ascension Day'],
      ['2027-05-16', '2027-05-16', null, 'Pentecost'],
      ['2027-05-17', '2027-05-17', null, 'Whit Monday'],
      ['2027-06-17', '06-17', null, 'Icelandic National Day'],
      ['2027-08-02', '2027-08-02', null, 'Commerce Day'],
      ['2027-12-24', '2027-12-24', '13:00', 'Christmas Eve'],
      ['2027-12-25', '12-25', null, 'Christmas Day'],
      ['2027-12-26', '12-26', null, 'Boxing Day'],
      ['2027-12-31', '2027-12-31', '13:00', "New Year's Eve"],
    ]);
    expect(found[2]?.name.is).toBe('Föstudagurinn langi');
  });

  it('differ by region', async () => {
    const epiphany = async (query: string) =>
      (await holidays(`${query}&year=2027`)).some(({ day }) => day === '01-06');
    expect(await epiphany('country=DE')).toBe(false);
    expect(await epiphany('country=DE&region=BY')).toBe(true);
    expect(await epiphany('country=DE&region=BE')).toBe(false);
  });

  it('have each day of a holiday of several days', async () => {
    const found = await holidays('country=TR&year=2027');
    const ramadan = found.filter(
      ({ name }) => name.en === found.find(({ date }) => date === '2027-03-10')?.name.en,
    );
    expect(ramadan.map(({ date }) => date)).toEqual(['2027-03-09', '2027-03-10', '2027-03-11', '2027-03-12']);
  });

  it('are days that a tariff takes, in every country', async () => {
    const { body } = await api.call('GET', '/holidays/countries');
    const { data } = z.object({ data: z.array(CountrySchema) }).parse(body);
    expect(data.length).toBeGreaterThan(150);
    for (const country of ['AT', 'DK', 'EG', 'ES', 'FR', 'GB', 'IL', 'PL', 'US']) {
      expect(data.map((one) => one.country)).toContain(country);
      const days = (await holidays(`country=${country}&year=2028`)).map(({ day }) => day);
      const tariff = {
        holidays: days,
        day: { kind: 'calendar', partial: 'full-day', prices: [{ fromDay: 1, priceMinor: 100 }] },
      };
      expect(TariffSchema.safeParse(tariff).success, country).toBe(true);
      expect(days.length).toBeGreaterThan(5);
    }
  });
});

it('lists the countries by name, with their regions', async () => {
  const { body } = await api.call('GET', '/holidays/countries');
  const { data } = z.object({ data: z.array(CountrySchema) }).parse(body);
  expect(data.find(({ country }) => country === 'DK')?.name).toEqual({ is: 'Danmörk', en: 'Denmark' });
  const britain = data.find(({ country }) => country === 'GB')?.regions;
  expect(britain).toContainEqual({ region: 'SCT', name: 'Scotland' });
});

it.each([
  ['country=iceland&year=2027', 'country: two capital letters'],
  ['country=ZZ&year=2027', 'country: must be one of'],
  ['country=DE&region=XX&year=2027', 'region: must be one of BB, BE'],
  ['country=IS&year=1066', 'year: must be at least 2000'],
  ['country=IS', 'year: '],
])('refuses %s', async (query, message) => {
  const { status, body } = await api.call('GET', `/holidays?${query}`);
  expect(status).toBe(400);
  expect(
    z
      .object({ messages: z.array(z.string()) })
      .parse(body)
      .messages.join(),
  ).toContain(message);
});
