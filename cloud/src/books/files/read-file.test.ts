import type { FileKind } from '@hlid/protocol/base/books-files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BANK_MAPPING, booksFile, RAPYD_MAPPING, TEYA_MAPPING } from '../../../test/books.ts';
import { englishLines } from '../../platform/refused.ts';
import { amountText, fineAmount, PLAIN_NUMBERS } from './amount-text.ts';
import { type ColumnMapping, ColumnMappingSchema } from './column-mapping.ts';
import type { BankStatement, SettlementBatch } from './file-content.ts';
import { readBooksFile } from './read-file.ts';

function read(bytes: Uint8Array | string, kind: FileKind, mapping: ColumnMapping | null = null) {
  const file = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  return readBooksFile(file, kind, { mapping, timeZone: 'Atlantic/Reykjavik' });
}

function batchesOf(bytes: Uint8Array | string, mapping: ColumnMapping | null = null) {
  const file = read(bytes, 'settlement', mapping);
  if (!file.ok) throw new Error(englishLines(file.mistakes).join('; '));
  if (file.content.kind !== 'settlement') throw new Error('a bank’s file');
  return { batches: file.content.batches, warnings: englishLines(file.content.warnings) };
}

function statementsOf(bytes: Uint8Array | string, mapping: ColumnMapping | null = null) {
  const file = read(bytes, 'bank', mapping);
  if (!file.ok) throw new Error(englishLines(file.mistakes).join('; '));
  if (file.content.kind !== 'bank') throw new Error('a provider’s file');
  return { statements: file.content.statements, warnings: englishLines(file.content.warnings) };
}

/** Why a file is refused, in words. */
function refusal(bytes: Uint8Array | string, kind: FileKind, mapping: ColumnMapping | null = null): string {
  const file = read(bytes, kind, mapping);
  return file.ok ? 'it is read' : englishLines(file.mistakes).join(' ');
}

const text = (name: string) => booksFile(name).toString();
const brief = ({ rows: _rows, ...batch }: SettlementBatch) => batch;
const sums = ({ rows }: SettlementBatch) =>
  rows.map(({ kind, grossMinor, feeMinor }) => [kind, grossMinor, feeMinor]);
const moved = ({ entries }: BankStatement) => entries.map(({ amountMinor }) => amountMinor);

describe('a settlement detail report of Adyen', () => {
  const { batches, warnings } = batchesOf(booksFile('adyen-settlement-detail.csv'));

  it('has batches by account, number and currency, each with its payout', () => {
    expect(batches.map(brief)).toEqual([
      {
        account: 'HlidReykjavik',
        reference: '41',
        currency: 'ISK',
        state: 'paid',
        paidOn: '2026-11-19',
        payoutMinor: 2631,
        carriedInMinor: 0,
        carriedOutMinor: 0,
        roundingMinor: 0,
      },
      expect.objectContaining({ reference: '42', state: 'carried', payoutMinor: 0, carriedOutMinor: -9000 }),
      expect.objectContaining({ reference: '43', state: 'paid', payoutMinor: 1980, carriedInMinor: -9000 }),
      expect.objectContaining({ account: 'HlidAkureyri', reference: '7', currency: 'EUR', payoutMinor: 987 }),
    ]);
  });

  it('has sales, refunds, a chargeback with its fee and its reversal, and fees of their own', () => {
    expect(batches.map(sums)).toEqual([
      [
        ['sale', 1500, 19],
        ['sale', 3000, 30],
        ['refund', -500, 0],
        ['chargeback', -700, 500],
        ['fee', 0, 120],
      ],
      [['chargeback', -9000, 0]],
      [
        ['chargeback-reversed', 9000, 0],
        ['sale', 2000, 20],
      ],
      [['sale', 1000, 13]],
    ]);
  });

  it('keeps the references, the day of the file, and the moment by its time zone', () => {
    expect(batches[0]?.rows[0]).toMatchObject({
      line: 2,
      reference: 'KDR4H9GJSWZHWZ75',
      merchantReference: '11111111-0000-4000-8000-000000000001',
      method: 'visa',
      bookedOn: '2026-11-17',
      at: '2026-11-17T22:30:00.000Z',
    });
    expect(batches[3]?.rows[0]?.at).toBe('2026-07-17T23:30:00.000Z');
  });

  it('says that a batch is negative, and that fractions were rounded', () => {
    expect(warnings).toEqual([
      'Batch 41: fractions of a ISK were rounded, 0 ISK in all.',
      'Batch 42 is negative by 9000 ISK, which is carried forward.',
    ]);
  });

  it('is refused where a payout is not the sum of its rows, with the line', () => {
    const wrong = text('adyen-settlement-detail.csv').replace('2631.25', '2631.24');
    expect(refusal(wrong, 'settlement')).toBe(
      'Line 7: the rows of batch 41 add up to 2631.25 ISK, and its payout is 2631.24 ISK.',
    );
  });

  it('is refused where a row does not add up, with the line', () => {
    const wrong = text('adyen-settlement-detail.csv').replace('2970.00,30.00', '2970.00,31.00');
    expect(refusal(wrong, 'settlement')).toContain('Line 3: 3000 ISK less fees of 31 ISK is not 2970 ISK.');
  });

  it('is refused where it lacks a column, is cut off, or has a wrong cell', () => {
    const whole = text('adyen-settlement-detail.csv');
    expect(refusal(whole.replace('Scheme Fees (NC)', 'Fees'), 'settlement')).toBe(
      'The file lacks the columns: Scheme Fees (NC).',
    );
    expect(refusal(whole.slice(0, -60), 'settlement')).toMatch(/Line 15 has \d+ cells, and the header 24/);
    expect(refusal(whole.replace('3000.00', '3.000,00'), 'settlement')).toMatch(/cells|no amount/);
    expect(refusal(whole.replace('3000.00', 'x'), 'settlement')).toBe(
      'Line 3, column Gross Credit (GC): "x" is no amount.',
    );
    expect(refusal(whole.replace('2026-11-18 00:10:00', '2026-11-31 00:10:00'), 'settlement')).toBe(
      'Line 3, column Creation Date: "2026-11-31 00:10:00" is no time.',
    );
  });
});

describe('a payout reconciliation report of Stripe', () => {
  const { batches, warnings } = batchesOf(booksFile('stripe-payout-reconciliation.csv'));

  it('has a batch for each payout, which is the sum of its rows; a failed one comes back', () => {
    expect(
      batches.map(({ reference, state, payoutMinor, paidOn }) => [reference, state, payoutMinor, paidOn]),
    ).toEqual([
      ['po_1Nov20', 'paid', 2833, '2026-11-20'],
      ['po_2Nov21', 'failed', 760, '2026-11-21'],
      ['po_2Nov21:failed', 'failed', -760, '2026-11-23'],
    ]);
    expect(batches[0] && sums(batches[0])).toEqual([
      ['sale', 1500, 62],
      ['sale', 2000, 80],
      ['refund', -500, 0],
      ['chargeback', -1000, 2000],
      ['chargeback-reversed', 1000, -2000],
      ['fee', 0, 25],
    ]);
    expect(batches[0]?.rows[2]).toMatchObject({ reference: 'pi_1', ownReference: 're_1' });
  });

  it('says what came back, and what is in no payout yet', () => {
    expect(warnings).toEqual([
      'Line 9: the payout of batch po_2Nov21 failed, and 760 ISK came back.',
      'Batch - has no payout: 855 ISK is outstanding.',
    ]);
  });

  it('is refused where gross, fee and net do not agree', () => {
    const wrong = text('stripe-payout-reconciliation.csv').replace('62.00,1438.00', '62.00,1439.00');
    expect(refusal(wrong, 'settlement')).toBe('Line 2: 1500 ISK less fees of 62 ISK is not 1439 ISK.');
  });
});

describe('a settlement file by a mapping', () => {
  it('reads decimal commas, points between thousands, own words and Icelandic letters', () => {
    const { batches } = batchesOf(booksFile('rapyd-like.csv'), RAPYD_MAPPING);
    expect(batches.map(brief)).toMatchObject([
      { reference: 'S-100', state: 'paid', paidOn: '2026-11-21', payoutMinor: 11_642 },
    ]);
    expect(batches.map(sums)).toEqual([
      [
        ['sale', 1500, 12],
        ['sale', 12_000, 96],
        ['refund', -1500, 0],
        ['fee', 0, 250],
      ],
    ]);
    expect(batches[0]?.rows[0]).toMatchObject({
      authorisation: 'A11111',
      terminal: 'T001',
      lastFour: '4242',
    });
  });

  it('reads one without signs, without a payout of its own and without net amounts', () => {
    const { batches } = batchesOf(booksFile('teya-like.csv'), TEYA_MAPPING);
    expect(batches.map(brief)).toMatchObject([
      { reference: '2026-11-20', state: 'paid', paidOn: '2026-11-20', payoutMinor: 496 + 1191 - 500 },
    ]);
  });

  it('says which column and line do not fit the mapping', () => {
    const columns = { ...RAPYD_MAPPING.columns, net: 'Nettó' };
    expect(refusal(booksFile('rapyd-like.csv'), 'settlement', { ...RAPYD_MAPPING, columns })).toBe(
      'The file lacks the columns: Nettó.',
    );
    expect(
      refusal(booksFile('rapyd-like.csv'), 'settlement', { ...RAPYD_MAPPING, dateFormat: 'YYYY-MM-DD' }),
    ).toContain('Line 3, column Date: "18.11.2026 12:30" is no date (YYYY-MM-DD).');
    expect(
      refusal(booksFile('rapyd-like.csv'), 'settlement', { ...RAPYD_MAPPING, decimal: '.', thousands: null }),
    ).toContain('Line 3, column Amount: "1.500,00" is no amount.');
    expect(refusal(booksFile('rapyd-like.csv'), 'settlement', { ...RAPYD_MAPPING, encoding: 'utf-8' })).toBe(
      'Line 5 is not UTF-8. Export the file again, or set the encoding of the account.',
    );
    const kinds = { Sala: 'sale' as const, Útborgun: 'payout' as const };
    expect(batchesOf(booksFile('rapyd-like.csv'), { ...RAPYD_MAPPING, kinds }).warnings).toEqual([
      'Line 5: "Endurgreiðsla" is no kind that is known. It counts in the sum only.',
      'Line 6: "Þóknun" is no kind that is known. It counts in the sum only.',
    ]);
  });

  it('is refused itself where it lacks what a file needs, or maps a column twice', () => {
    const { net: _net, gross: _gross, ...columns } = RAPYD_MAPPING.columns;
    expect(ColumnMappingSchema.safeParse({ ...RAPYD_MAPPING, columns }).success).toBe(false);
    const twice = { ...RAPYD_MAPPING.columns, net: 'amount' };
    expect(ColumnMappingSchema.safeParse({ ...RAPYD_MAPPING, columns: twice }).success).toBe(false);
    for (const mapping of [RAPYD_MAPPING, TEYA_MAPPING, BANK_MAPPING]) {
      expect(ColumnMappingSchema.safeParse(mapping)).toMatchObject({ success: true });
    }
  });
});

describe('a bank statement', () => {
  it('in camt.053.001.02 has a collected credit, a reversal, a fee, and leaves out what is not booked', () => {
    const { statements, warnings } = statementsOf(booksFile('camt.053.001.02.xml'));
    expect(statements).toMatchObject([
      {
        account: 'IS140159260076545510730339',
        reference: '2026-325',
        currency: 'ISK',
        from: '2026-11-21',
        until: '2026-11-21',
        openingMinor: 100_000,
        closingMinor: 101_111,
        entries: [
          {
            amountMinor: 2631,
            bookedOn: '2026-11-21',
            valueOn: '2026-11-20',
            transactions: 3,
            reference: 'BANK-1',
            text: 'TX2026-11-19 batch 41, HlidReykjavik',
          },
          {
            amountMinor: -1500,
            isReversal: true,
            valueOn: '2026-11-18',
            endToEndId: 'E2E-7',
            counterpart: 'Jón Jónsson',
            text: 'Krafa 4711 bakfærð',
          },
          { amountMinor: -20, reference: '3', valueOn: null, transactions: null },
        ],
      },
    ]);
    expect(warnings).toEqual(['Statement 2026-325: 1 entries are not booked yet, and are not stored.']);
  });

  it('in camt.053.001.08 has prefixes, an overdrawn account and entries of several transactions', () => {
    const { statements } = statementsOf(booksFile('camt.053.001.08.xml'));
    expect(statements).toMatchObject([
      { account: '013326001234', currency: 'EUR', openingMinor: -1000, closingMinor: 1487 },
    ]);
    expect(statements[0]?.entries).toMatchObject([
      { amountMinor: 2487, transactions: 2, text: 'TX2026-07-19 batch 7 RF18539007547034' },
    ]);
  });

  it('in JSON of IOBWS has signs in its amounts', () => {
    const { statements } = statementsOf(booksFile('iobws-transactions.json'));
    expect(statements).toMatchObject([{ openingMinor: 101_111, closingMinor: 102_091, from: '2026-11-22' }]);
    expect(statements.map(moved)).toEqual([[1980, -1000]]);
  });

  it('in CSV by a mapping stands with the oldest entry first, by its balances', () => {
    const { statements } = statementsOf(booksFile('bank.csv'), BANK_MAPPING);
    expect(statements).toMatchObject([
      { from: '2026-11-20', until: '2026-11-21', openingMinor: 100_000, closingMinor: 101_642 },
    ]);
    expect(statements.map(moved)).toEqual([[5000, 11_642, -15_000]]);
  });

  it('is refused where its sums are wrong, with the place', () => {
    const xml = text('camt.053.001.02.xml');
    expect(refusal(xml.replace('101111.00', '101112'), 'bank')).toBe(
      'Statement 2026-325: the opening balance of 100000 ISK and entries of 1111 ISK make 101111 ISK, and the closing balance is 101112 ISK.',
    );
    expect(refusal(xml.replace('<TxAmt><Amt Ccy="ISK">1500', '<TxAmt><Amt Ccy="ISK">1400'), 'bank')).toBe(
      'Statement 2026-325, entry 2: its transactions add up to -1400 ISK, and the entry is -1500 ISK.',
    );
    expect(refusal(xml.replace('<Amt Ccy="ISK">20</Amt>', '<Amt Ccy="EUR">20</Amt>'), 'bank')).toBe(
      'At Stmt 2026-325, Ntry 3, Amt the file has: EUR ≠ ISK.',
    );
    const csv = booksFile('bank.csv').toString('latin1').replace('116.642', '116.643');
    expect(refusal(Buffer.from(csv, 'latin1'), 'bank', BANK_MAPPING)).toMatch(/^Line \d: the balance before/);
  });

  it('has no entities of its own, and no more than is read', () => {
    const xml = text('camt.053.001.02.xml');
    const bomb = xml.replace('?>', '?><!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>');
    expect(refusal(bomb, 'bank')).toBe('The file cannot be read: a document type is not accepted.');
    const deep = `<BkToCstmrStmt >${'<a>'.repeat(100)}`;
    expect(refusal(deep, 'bank')).toBe('The file cannot be read: nested deeper than 40.');
  });
});

describe('a file that is none', () => {
  it.each([
    ['', 'settlement', 'The file is empty.'],
    [' \n ', 'bank', 'The file is empty.'],
    ['%PDF-1.7 …', 'bank', 'The file is PDF and not text. Export it as CSV or XML.'],
    ['PK\u0003\u0004 …', 'settlement', 'The file is XLSX or ZIP and not text. Export it as CSV or XML.'],
    ['a\0b', 'bank', 'The file is binary and not text. Export it as CSV or XML.'],
    ['Dags;Upphæð\n1;2', 'bank', /none of the formats that are read: camt.053/],
    ['<html></html>', 'bank', /none of the formats/],
    ['{"account":', 'bank', /^The file cannot be read: /],
    ['{"account":{}}', 'bank', /lacks transactions/],
  ] as const)('%j is refused in words', (bytes, kind, words) => {
    expect(refusal(bytes, kind)).toMatch(words);
  });

  it('is refused as the other kind, and cut off at every place', () => {
    expect(refusal(booksFile('camt.053.001.02.xml'), 'settlement')).toBe(
      'This is camt.053, which belongs to POST /bank-statements.',
    );
    expect(refusal(booksFile('adyen-settlement-detail.csv'), 'bank')).toBe(
      'This is Adyen, which belongs to POST /settlement-files.',
    );
    const xml = text('camt.053.001.08.xml').trimEnd();
    for (const share of [0.3, 0.5, 0.7, 0.9, 0.99]) {
      expect(refusal(xml.slice(0, Math.floor(xml.length * share)), 'bank')).not.toBe('it is read');
    }
  });

  it('never throws, whatever the bytes are', () => {
    const names = [
      'camt.053.001.08.xml',
      'adyen-settlement-detail.csv',
      'rapyd-like.csv',
      'iobws-transactions.json',
    ];
    const damaged = fc.record({
      name: fc.constantFrom(...names),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      bytes: fc.uint8Array({ maxLength: 6 }),
      kind: fc.constantFrom('settlement' as const, 'bank' as const),
    });
    fc.assert(
      fc.property(damaged, ({ name, at, bytes, kind }) => {
        const file = booksFile(name);
        const place = Math.floor(at * file.length);
        const changed = Buffer.concat([file.subarray(0, place), bytes, file.subarray(place + bytes.length)]);
        expect(typeof read(changed, kind, RAPYD_MAPPING).ok).toBe('boolean');
      }),
      { numRuns: 200 },
    );
  });
});

describe('amounts', () => {
  it('are read as they are written, in every currency and number format', () => {
    const cases = fc.record({
      fine: fc.integer({ min: -1e11, max: 1e11 }),
      currency: fc.constantFrom('ISK', 'EUR', 'KWD'),
    });
    fc.assert(
      fc.property(cases, ({ fine, currency }) => {
        const [amount = ''] = amountText(fine, currency).split(' ');
        expect(fineAmount(amount, currency, PLAIN_NUMBERS)).toBe(fine);
        const [whole = '', decimals] = amount.split('.');
        const grouped =
          whole.replace(/\B(?=(\d{3})+$)/g, '.') + (decimals === undefined ? '' : `,${decimals}`);
        expect(fineAmount(grouped, currency, { decimal: ',', thousands: '.' })).toBe(fine);
      }),
    );
  });

  it.each(['1,500', '1.2.3', '--1', '1-2', '', '-', '1e5', '0x10', '1.', '１'])('%j is none', (amount) => {
    expect(fineAmount(amount, 'ISK', PLAIN_NUMBERS)).toBeNull();
  });
});
