import { STATUS_WORDS } from '@hlid/protocol/base/status-words/status-words';
import { runProgram } from '@hlid/protocol/command-line/program';
import { describe, expect, it } from 'vitest';
import { FILE_WORDS } from '../../integration/reports/file-words.ts';
import { priceProgram } from './price-command.ts';

const PRODUCT = { type: 'default', price: 500, currency: 'ISK', vehicleCategory: 'light', config: {} };
const HEAVY = { ...PRODUCT, price: 1000, vehicleCategory: 'heavy' };
const HOURLY = {
  ...PRODUCT,
  config: {
    tariff: {
      free: { minutes: 15 },
      bands: [{ steps: [{ kind: 'each', priceMinor: 350, everyMinutes: 60 }] }],
      day: { kind: 'rolling', prices: [{ fromDay: 1, priceMinor: 1750 }] },
    },
  },
};

async function answer(words: string, files: Record<string, unknown>, isTerminal = false) {
  const read = async (path: string) => {
    const file = files[path];
    if (file === undefined) throw new Error('there is no such file');
    return typeof file === 'string' ? file : JSON.stringify(file);
  };
  const printed: string[] = [];
  const complaints: string[] = [];
  const code = await runProgram(priceProgram(read), words.split(' '), {
    print: (line) => void printed.push(line),
    complain: (line) => void complaints.push(line),
    environment: {},
    isTerminal,
  });
  const text = printed.join('\n');
  const mistakes = complaints.filter((line) => !line.startsWith('Usage: '));
  return code === 0 ? { ok: true as const, text } : { ok: false as const, code, text, mistakes };
}

async function priced(words: string, files: Record<string, unknown>): Promise<unknown> {
  const given = await answer(words, files);
  if (!given.ok) throw new Error(given.mistakes.join('\n'));
  return JSON.parse(given.text);
}

const DAY_AND_MORE = '--product p --from 2026-11-20T10:00Z --to 2026-11-21T10:01Z';

describe('a stay', () => {
  it('is priced by the product of its category', async () => {
    const light = {
      amount: 1000,
      currency: 'ISK',
      lines: [{ rule: 'unit', units: 2, unitAmount: 500, amount: 1000 }],
    };
    expect(await priced(DAY_AND_MORE, { p: PRODUCT })).toEqual(light);
    expect(await priced(`${DAY_AND_MORE} --category heavy`, { p: [PRODUCT, HEAVY] })).toMatchObject({
      amount: 2000,
    });
    const quota = { ...PRODUCT, type: 'quota', price: 400 };
    expect(await priced(DAY_AND_MORE, { p: { data: [quota, HEAVY, PRODUCT] } })).toEqual(light);
    expect(await priced(DAY_AND_MORE, { p: { priceMinor: 500, currency: 'ISK' } })).toEqual(light);
    // No more than the specification asks for; and what is not known of a vehicle.
    const least = { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'P' };
    expect(await priced(`${DAY_AND_MORE} --category unknown`, { p: least })).toEqual(light);
    expect(await priced(DAY_AND_MORE, { p: { ...least, vehicleCategory: null, config: null } })).toEqual(
      light,
    );
  });

  it('or by its tariff, each line named', async () => {
    expect(await priced(DAY_AND_MORE, { p: HOURLY })).toEqual({
      amount: 2100,
      currency: 'ISK',
      lines: [
        { rule: 'day', units: 1, unitAmount: 1750, amount: 1750 },
        { rule: 'step', units: 1, unitAmount: 350, minutes: 60, amount: 350 },
      ],
    });
    expect(await priced(`${DAY_AND_MORE} --paid 1750`, { p: HOURLY })).toMatchObject({ amount: 350 });
    const { tariff } = HOURLY.config;
    expect(await priced(DAY_AND_MORE, { p: { tariff } })).toMatchObject({ amount: 2100, currency: 'ISK' });
  });

  it('of which a permit covers a part, or a quota or a payment meets one', async () => {
    const permit =
      '--permit 2026-11-20T10:00Z/2026-11-21T00:00Z --permit 2026-11-21T00:00Z/2026-11-21T09:30Z';
    expect(await priced(`${DAY_AND_MORE} ${permit}`, { p: HOURLY })).toMatchObject({ amount: 700 });
    const longer = DAY_AND_MORE.replace('10:01Z', '10:16Z');
    expect(await priced(`${longer} --quota 1`, { p: HOURLY })).toMatchObject({ amount: 350 });
    expect(await priced(`${longer} --quota 2`, { p: HOURLY })).toMatchObject({ amount: 0 });
    expect(await priced(`${DAY_AND_MORE} --quota 1`, { p: PRODUCT })).toMatchObject({ amount: 500 });
  });

  it('of a vehicle of so many seats, or so heavy', async () => {
    const classes = [
      { massUpToKg: 3500, seatsUpTo: 8, bands: [{ steps: [{ kind: 'flat', priceMinor: 750 }] }] },
      { seatsUpTo: 19, bands: [{ steps: [{ kind: 'flat', priceMinor: 1500 }] }] },
      { bands: [{ steps: [{ kind: 'flat', priceMinor: 3000 }] }] },
    ];
    const p = { ...PRODUCT, config: { tariff: { classes } } };
    const amounts = ['', '--seats 8', '--seats 9', '--seats 8 --mass 3501', '--seats 20'].map(
      async (vehicle) => {
        const answered = await priced(`${DAY_AND_MORE} ${vehicle}`.trim(), { p });
        return answered;
      },
    );
    expect(await Promise.all(amounts)).toMatchObject(
      [750, 750, 1500, 1500, 3000].map((amount) => ({ amount })),
    );
  });

  it('of a plate that was there before, and paid late at the kiosk', async () => {
    const tariff = {
      free: { minutes: 15, per: 'plate-24h' },
      bands: [{ steps: [{ kind: 'each', priceMinor: 350, everyMinutes: 60 }] }],
      lateFee: { afterMinutes: 60, amountMinor: 1490 },
      serviceFees: { kiosk: 50 },
    };
    const p = { ...PRODUCT, config: { tariff } };
    const words = '--product p --from 2026-11-20T10:00 --to 2026-11-20T10:15 --entry-grace 0';
    const earlier = '--earlier 2026-11-20T08:00/2026-11-20T08:05';
    expect(await priced(words, { p })).toMatchObject({ amount: 0 });
    expect(await priced(`${words} ${earlier}`, { p })).toMatchObject({ amount: 350 });
    expect(await priced(`${words} ${earlier} --channel kiosk`, { p })).toMatchObject({ amount: 400 });
    expect(
      await priced(`${words} ${earlier} --paid-at 2026-11-20T11:16 --channel online`, { p }),
    ).toMatchObject({
      amount: 1840,
    });
  });

  it('stands by the wall clock of the zone where it has no offset', async () => {
    const words = '--product p --from 2026-03-28T12:00 --to 2026-03-29T12:30';
    expect(await priced(`${words} --zone Europe/Vienna`, { p: PRODUCT })).toMatchObject({ amount: 500 });
    expect(await priced(words, { p: PRODUCT })).toMatchObject({ amount: 1000 });
  });
});

describe('past visits', () => {
  const visits = {
    data: [
      {
        id: 'a',
        startedOn: '2026-10-01T08:00:00.000Z',
        endedOn: '2026-10-01T08:10:00.000Z',
        price: { amount: 500, currency: 'ISK' },
      },
      {
        id: 'b',
        startedOn: '2026-10-02T08:00:00.000Z',
        endedOn: '2026-10-02T10:00:00.000Z',
        price: { amount: 500, currency: 'ISK' },
      },
      { id: 'c', startedOn: '2026-10-03T08:00:00.000Z', endedOn: '2026-10-03T10:00:00.000Z', price: null },
      { id: 'd', startedOn: '2026-10-04T08:00:00.000Z', endedOn: null, price: null },
    ],
  };
  const summary = {
    amount: 1400,
    was: 1000,
    difference: -300,
    dearer: 1,
    cheaper: 1,
    same: 0,
    notCompared: 1,
    open: 1,
    free: 0,
  };

  it('are priced again, beside what they cost', async () => {
    expect(await priced('--product p --visits v', { p: HOURLY, v: visits })).toMatchObject({
      ...summary,
      currency: 'ISK',
      visits: [
        { id: 'a', was: 500, amount: 0 },
        { id: 'b', was: 500, amount: 700 },
        { id: 'c', was: null, amount: 700 },
      ],
    });
  });

  it('come as lines or as a spreadsheet too', async () => {
    const lines = visits.data.map((visit) => JSON.stringify(visit)).join('\n');
    expect(await priced('--product p --visits v', { p: HOURLY, v: lines })).toMatchObject(summary);
    const rows = visits.data.map(({ id, startedOn, endedOn, price }) => [
      id,
      startedOn,
      endedOn,
      price?.amount,
      price?.currency,
    ]);
    const csv = [['id', 'startedOn', 'endedOn', 'amount', 'currency'], ...rows]
      .map((row) => row.join(';'))
      .join('\n');
    expect(await priced('--product p --visits v', { p: HOURLY, v: csv })).toMatchObject(summary);
  });

  it('come as pages of the API, and say where the last is missing', async () => {
    const [a, b, ...rest] = visits.data;
    const first = { data: [a, b], next: 'x', previous: null, total: 4, extra: { totalIs: 'exact' } };
    const last = { ...first, data: rest, next: null, previous: 'y' };
    const both = { p: HOURLY, v: [first, last] };
    expect(await priced('--product p --visits v', both)).toMatchObject({ ...summary, complete: true });
    const lines = { p: HOURLY, v: `${JSON.stringify(first)}\n${JSON.stringify(last)}\n` };
    expect(await priced('--product p --visits v', lines)).toMatchObject({ ...summary, complete: true });
    expect(await priced('--product p --visits v', { p: HOURLY, v: first })).toMatchObject({
      complete: false,
      visits: [{ id: 'a' }, { id: 'b' }],
    });
  });

  it('come as one visit alone, or as a table with headers as other tools write them', async () => {
    const [, visit] = visits.data;
    expect(await priced('--product p --visits v', { p: HOURLY, v: { ...visit, id: 7 } })).toMatchObject({
      visits: [{ id: '7', was: 500, amount: 700 }],
    });
    const csv =
      'ID;Started On;ended_on;price.amount;vehicle.category\n7;2026-10-02 08:00;2026-10-02 10:00;500;bus';
    expect(await priced('--product p --visits v', { p: HOURLY, v: csv })).toMatchObject({
      visits: [{ id: '7', was: 500, amount: 700 }],
    });
  });

  it.each(['is', 'en'] as const)('come as the file that the console downloads, in %s', async (language) => {
    const { headers, category } = FILE_WORDS[language].visits;
    const { settlement } = STATUS_WORDS[language];
    const stay = { startedOn: '2026-10-02 08:00:00', endedOn: '2026-10-02 10:00:00', currency: 'EUR' };
    const rows = [
      { ...stay, id: 'paid', paymentStatus: settlement.kiosk, stayPrice: '12,50', due: '0,00' },
      { ...stay, id: 'due', stayPrice: '5,00', category: category.heavy },
      {
        ...stay,
        id: 'company',
        paymentStatus: settlement['company-invoice'],
        stayPrice: '9,00',
      },
      { ...stay, id: 'permit', paymentStatus: settlement.whitelisted },
      { ...stay, id: 'open', endedOn: '' },
    ].map((row) => Object.keys(headers).map((name) => new Map(Object.entries(row)).get(name) ?? ''));
    const v = `\ufeff${[Object.values(headers), ...rows].map((row) => row.join(';')).join('\r\n')}`;
    const p = [
      { ...HOURLY, currency: 'EUR' },
      { ...HEAVY, currency: 'EUR' },
    ];
    expect(await priced('--product p --visits v', { p, v })).toMatchObject({
      was: 2650,
      notCompared: 0,
      open: 1,
      free: 1,
      visits: [
        { id: 'paid', was: 1250, amount: 700 },
        { id: 'due', was: 500, amount: 1000 },
        { id: 'company', was: 900, amount: 700 },
      ],
    });
  });

  it('of which some were paid, waived or free: what they cost counts, whoever has met it', async () => {
    const unit = { rule: 'unit', units: 1, amount: 500 };
    const stay = { startedOn: '2026-10-02T08:00:00.000Z', endedOn: '2026-10-02T10:00:00.000Z' };
    const price = (rule: string, amount: number) => ({
      amount,
      currency: 'ISK',
      lines: [unit, { rule, units: -1, amount: -500 }],
    });
    const v = {
      data: [
        { id: 'paid', ...stay, paymentStatus: 'kiosk', price: price('units-met', 500) },
        { id: 'waived', ...stay, paymentStatus: null, price: price('waived', 0) },
        {
          id: 'permit',
          ...stay,
          paymentStatus: 'whitelisted',
          price: { amount: 0, currency: 'ISK', lines: [] },
        },
      ],
    };
    expect(await priced('--product p --visits v', { p: HOURLY, v })).toMatchObject({
      amount: 1400,
      was: 500,
      difference: 900,
      dearer: 2,
      notCompared: 0,
      free: 1,
      visits: [{ id: 'paid', was: 500 }, { id: 'waived' }],
    });
  });

  it('of a month, where asked', async () => {
    const words = '--product p --visits v --from 2026-10-02T00:00 --to 2026-10-03T00:00';
    expect(await priced(words, { p: HOURLY, v: visits })).toMatchObject({ visits: [{ id: 'b' }] });
  });
});

describe('the command line', () => {
  it('prints words on a terminal', async () => {
    const given = await answer(DAY_AND_MORE, { p: HOURLY }, true);
    expect(given.text.replaceAll('\u00a0', ' ')).toMatch(
      /^Full day +.*1,750\nParking, 1 hour +.*350\nTo pay +.*2,100$/,
    );
  });

  it('ends with 2 for wrong usage and with 1 for a file that is wrong', async () => {
    expect(await answer('--product p --form x', { p: PRODUCT })).toMatchObject({
      code: 2,
      mistakes: [expect.stringContaining('did you mean --from?')],
    });
    expect(await answer(DAY_AND_MORE, {})).toMatchObject({ code: 1 });
  });
});

describe('what cannot be priced is refused, all mistakes at once', () => {
  it.each<[string, Record<string, unknown>, RegExp[]]>([
    [
      '--from x --zone Mars/Base --category huge',
      {},
      [/--product/, /Mars/, /huge/, /no such time: x/, /--to TIME is missing/],
    ],
    ['--product p --from 2026-11-20 --to 2026-11-19', { p: PRODUCT }, [/--to is before --from/]],
    [DAY_AND_MORE, {}, [/^p cannot be read: there is no such file/]],
    [DAY_AND_MORE, { p: { name: 'x' } }, [/p: line 1: price: .*config\.tariff/]],
    [DAY_AND_MORE, { p: '{"price":' }, [/p: line 1/]],
    [
      DAY_AND_MORE,
      { p: { ...PRODUCT, config: { tariff: {} } } },
      [/config.tariff.bands: nothing has a price/],
    ],
    [DAY_AND_MORE, { p: { ...PRODUCT, price: 500.5 } }, [/p: line 1: price: a whole number/]],
    [
      DAY_AND_MORE,
      {
        p: { ...HOURLY, config: { tariff: { ...HOURLY.config.tariff, holidays: ['2026-13-01', '02-30'] } } },
      },
      [/holidays\[0\]: a date such as/, /holidays\[1\]: there is no such day/],
    ],
    [
      '--product p --zone Europe/Berlin --from 2026-03-29T02:30 --to 2026-10-25T02:30',
      { p: PRODUCT },
      [/--from: 2026-03-29T02:30 does not exist in Europe\/Berlin/, /--to: 2026-10-25T02:30 occurs twice/],
    ],
    [
      '--product p --zone Europe/Berlin --visits v',
      { p: PRODUCT, v: 'startedOn,endedOn\n2026-10-25 01:30,2026-10-25 02:30' },
      [/v: line 2: endedOn: 2026-10-25 02:30 occurs twice/],
    ],
    [
      '--product p --visits v',
      { p: PRODUCT, v: 'startedOn,endedOn\n2026-13-01,2026-12-01' },
      [/v: line 2: startedOn: there is no such time: 2026-13-01 \(ISO 8601/],
    ],
    [
      '--product p --visits v',
      { p: PRODUCT, v: 'id,start,end\na,2026-10-01,2026-10-02' },
      [/no column startedOn; there are: id, start, end/, /no column endedOn/],
    ],
    ['--product p --visits v', { p: PRODUCT, v: '' }, [/the file is empty/]],
    [
      '--product p --visits v',
      { p: PRODUCT, v: 'startedOn,endedOn,amount\n2026-10-02,2026-10-01,7\n,2026-10-01,1.000' },
      [/line 3: startedOn: a time is missing/, /line 3: amount: a whole number/],
    ],
    [
      '--product p --visits v',
      { p: PRODUCT, v: [{ startedOn: '2026-10-02', endedOn: '2026-10-01', price: 500 }] },
      [/visit 1: endedOn is before startedOn/],
    ],
    [
      '--product p --visits v',
      {
        p: PRODUCT,
        v: 'sep=;\r\nstartedOn;endedOn;note\r\n2026-10-01;2026-10-02;"a\r\nb"\r\n\r\nx;2026-10-02;\r\n',
      },
      [/^v: line 6: startedOn: there is no such time: x/],
    ],
    [
      '--product p --visits v',
      { p: PRODUCT, v: 'startedOn,startedOn,endedOn\n2026-10-01,2026-10-01,2026-10-02' },
      [/v: there are two columns startedOn/],
    ],
    [
      '--product p --visits v',
      { p: PRODUCT, v: 'startedOn,endedOn\n2026-10-01' },
      [/v: line 2: it has not as many columns as the headers/],
    ],
    [
      '--product p --visits v',
      { p: PRODUCT, v: 'startedOn,endedOn\n"2026-10-01,2026-10-02' },
      [/v: line 2: a quotation mark is not closed/],
    ],
    [
      '--product p --visits v',
      {
        p: PRODUCT,
        v: '{"startedOn":"x","endedOn":"2026-10-02"}\n\n{"startedOn":"2026-10-02","endedOn":"y"}',
      },
      [/v: line 1: startedOn: .* x/, /v: line 3: endedOn: .* y/],
    ],
    [
      '--product p --visits v',
      { p: PRODUCT, v: '{"startedOn":"2026-10-02"}\n{"id":' },
      [/v: line 2: this is no JSON/],
    ],
    [
      '--product p --visits v',
      { p: PRODUCT, v: `startedOn,endedOn\n${'x,2026-10-02\n'.repeat(60)}` },
      [/v: line 51: startedOn/, /v: and 10 more$/],
    ],
    [
      `${DAY_AND_MORE} --seats many --permit 2026-11-20 --channel post`,
      {},
      [
        /--seats: a whole number \(written: “many”\)/,
        /--permit: two times/,
        /--channel: must be one of kiosk, online \(written: “post”\)/,
      ],
    ],
    [`${DAY_AND_MORE} --cheap`, { p: PRODUCT }, [/--cheap/]],
  ])('%s', async (words, files, mistakes) => {
    const given = await answer(words, files);
    if (given.ok) throw new Error(given.text);
    for (const mistake of mistakes) expect(given.mistakes.join('\n')).toMatch(mistake);
  });
});

describe('a dry run', () => {
  const visit = (id: number, plate: string, from: string, to: string, amount: number) => ({
    id: `${id}`,
    plate,
    startedOn: `2026-11-20T${from}Z`,
    endedOn: `2026-11-20T${to}Z`,
    paymentStatus: null,
    vehicle: { category: 'light' },
    price: { amount, currency: 'ISK', lines: [] as object[] },
  });
  const WAIVED = [
    { rule: 'unit', units: 1, amount: 500 },
    { rule: 'waived', units: -1, amount: -500 },
  ];
  const PAID = [
    { rule: 'unit', units: 1, amount: 700 },
    { rule: 'paid', units: 1, amount: -700 },
  ];
  const VISITS = [
    {
      ...visit(1, 'ABX12', '08:00:00.000', '08:14:59.900', 0),
      price: { amount: 0, currency: 'ISK', lines: WAIVED },
    },
    visit(2, 'ABX12', '09:00:00.100', '10:00:00.900', 350),
    {
      ...visit(3, 'MKJ45', '10:00:00.900', '11:00:01.100', 0),
      price: { amount: 700, currency: 'ISK', lines: PAID },
    },
    visit(4, 'KLM99', '10:00:00.000', '10:15:00.000', 500),
    visit(5, 'KLM99', '12:00:00.000', '12:20:00.000', 500),
  ];
  const { headers } = FILE_WORDS.en.visits;
  const CSV = [
    [headers.plate, headers.startedOn, headers.endedOn, headers.stayPrice, headers.currency, headers.id].join(
      ',',
    ),
    ...VISITS.map(({ id, plate, startedOn, endedOn, price }) => {
      const time = (at: string) => at.slice(0, 19).replace('T', ' ');
      return [plate, time(startedOn), time(endedOn), price.amount, price.currency, id].join(',');
    }),
  ].join('\n');
  const run = (options: string, tariff: object) =>
    Promise.all(
      [VISITS, CSV].map((visits) => {
        const product = { ...PRODUCT, config: { tariff } };
        return priced(`--product p --visits v ${options}`.trim(), { p: product, v: visits });
      }),
    );
  const BANDS = [{ steps: [{ kind: 'each', priceMinor: 350, everyMinutes: 60 }] }];

  it('has the entry grace of the site, and the same answer for the list and for the file', async () => {
    const [list, file] = await run('', { bands: BANDS });
    expect(list).toMatchObject({
      was: 2050,
      visits: [{ amount: 0 }, { amount: 350 }, { amount: 700 }, { amount: 0 }, { amount: 350 }],
    });
    expect(file).toEqual(list);
  });

  it('takes the grace of the site that is given, and that of the tariff before it', async () => {
    const [list, file] = await run('--entry-grace 0', { bands: BANDS });
    expect(list).toMatchObject({ visits: [{ amount: 350 }, {}, {}, { amount: 350 }, {}] });
    expect(file).toEqual(list);
    const [own] = await run('--entry-grace 0', { bands: BANDS, entryGraceMinutes: 20 });
    expect(own).toMatchObject({ visits: [{ amount: 0 }, {}, {}, { amount: 0 }, { amount: 0 }] });
    const stay = '--product p --from 2026-11-20T10:00Z --to 2026-11-20T10:15Z';
    expect(await priced(stay, { p: PRODUCT })).toMatchObject({ amount: 0 });
    expect(await priced(`${stay} --entry-grace 14`, { p: PRODUCT })).toMatchObject({ amount: 500 });
  });

  it('knows the free time that a plate has had', async () => {
    const free = { minutes: 30, per: 'plate-24h' };
    const [list, file] = await run('--entry-grace 0', { bands: BANDS, free });
    expect(list).toMatchObject({ visits: [{ amount: 0 }, {}, {}, { amount: 0 }, { amount: 350 }] });
    expect(file).toEqual(list);
  });
});
