import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readApdu } from './apdu-frame.ts';
import { bytesOf } from './bcd-frame.ts';
import { explainApdu } from './explain-message.ts';
import { readMessage } from './message-frame.ts';
import { readStatusInformation, receiptOf, transactionOf } from './status-information.ts';

const FILE = new URL('../../../../tests/fixtures/zvt/vectors.json', import.meta.url);
const VECTORS: { name: string; hex: string }[] = JSON.parse(readFileSync(FILE, 'utf8'));

function factsOf(hex: string) {
  const apdu = readApdu(bytesOf(hex));
  const message = apdu.ok ? readMessage(apdu.value) : apdu;
  if (!message.ok) throw new Error(message.problem);
  return readStatusInformation(message.value);
}

function captured(name: string) {
  const vector = VECTORS.find((one) => one.name === name);
  if (!vector) throw new Error(name);
  return factsOf(vector.hex);
}

describe('what is kept of a status-information', () => {
  it('a capture of a Debit Mastercard: its application decides, not its type', () => {
    const facts = captured('bez-status-info-0_01-mastercard-debit');
    expect(facts).toMatchObject({
      resultCode: 0,
      amountMinor: 1,
      currency: 'EUR',
      terminalId: '29001006',
      authorisation: '291675',
      card: { type: 'mastercard', lastFour: '5726' },
      at: '03-08 16:49:23',
    });
    const transaction = transactionOf(facts, null);
    expect(transaction).toMatchObject({
      reference: '0022.000022',
      marks: { receipt: '0022', trace: '000022', turnover: '000022' },
    });
    expect(transaction && receiptOf(transaction)).toBe(22);
  });

  it('an odd number of digits, padded; one that is masked to its end', () => {
    expect(captured('bez-status-info-maestro-18_80').card).toEqual({ type: 'maestro', lastFour: '4281' });
    expect(captured('ev-status-info-girocard-19-digit-pan').card).toEqual({
      type: 'other',
      lastFour: '8004',
    });
    expect(factsOf('040f0d270022f0f8eeeeeeeeeeeeeeee').card.lastFour).toBeNull();
    // The number is followed by the rest of the stripe.
    expect(factsOf('040f11270022f1f24111111111111111d3012201').card.lastFour).toBe('1111');
  });

  it('a trace that is too long for its field, and no amount', () => {
    const facts = captured('port-status-info-long-trace-nfc');
    expect(facts).toMatchObject({ trace: '10015008', amountMinor: null, currency: null });
    expect(transactionOf(facts, null)).toBeNull();
    const asked = { amountMinor: 900, currency: 'ISK', terminalId: null };
    expect(transactionOf(facts, asked)).toMatchObject({ amountMinor: 900, currency: 'ISK' });
  });

  it('sums by brand of an end of day', () => {
    expect(captured('bez-status-info-end-of-day-repaired').totals).toEqual([
      { type: 'other', count: 4, amountMinor: 2600 },
    ]);
  });

  it('never a whole number, nor a track', () => {
    const card = '2700' + '22f0f84111111111111111' + '23f1f34111111111111111d301220112';
    const facts = factsOf(`040f${(card.length / 2).toString(16)}${card}`);
    expect(facts.card.lastFour).toBe('1111');
    expect(JSON.stringify(facts)).not.toContain('411111');
  });

  it('shows people a card number as receipts mask it', () => {
    const meaning = explainApdu(bytesOf('040f0d270022f0f84111111111111111'));
    expect(meaning).toMatchObject({ ok: true, value: { fields: { pan: '411111EEEEEE1111' } } });
  });
});
