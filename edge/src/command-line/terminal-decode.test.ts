import { describe, expect, it } from 'vitest';
import { runInShell } from '../../test/shell.ts';
import { bytesOf, hexOf } from '../terminal/zvt/bcd-frame.ts';
import { writeSerialFrame } from '../terminal/zvt/serial-frame.ts';

async function decode(...words: string[]) {
  const { code, printed, complaint } = await runInShell(['terminal', 'decode', ...words]);
  return { code, meaning: printed.map((line) => JSON.parse(line)), complaint };
}

describe('terminal decode', () => {
  it('explains a message, however it is written', async () => {
    const meaning = {
      control: '0601',
      command: 'authorisation',
      length: 10,
      lengthForm: 'short',
      fields: { amountMinor: 1500, currency: 352, order: ['04', '49'] },
    };
    for (const words of [
      ['06010a04000000001500490352'],
      ['06 01 0A', '04:00:00:00:00:15:00', '490352'],
      ['06-01-0A-04-00-00-00-00-15-00-49-03-52'],
      ['0x06 0x01, 0x0a, 0x04000000001500', '0x490352\n'],
    ]) {
      expect(await decode(...words)).toEqual({ code: 0, meaning: [meaning], complaint: '' });
    }
  });

  it('explains a frame, with the option before or behind', async () => {
    const frame = '10028000001003f51f';
    const expected = { command: 'ack', apdu: '800000', crc: '1ff5', crcWire: 'f51f', stuffedDle: 0 };
    for (const words of [
      ['--serial', frame],
      [frame, '--serial'],
    ]) {
      expect(await decode(...words)).toMatchObject({ code: 0, meaning: [expected] });
    }
  });

  it('says the same in words', async () => {
    const { code, printed } = await runInShell([
      'terminal',
      'decode',
      '--text',
      '040f0d270006091f100100240307014f',
    ]);
    expect([code, printed]).toEqual([
      0,
      [
        'control: 040F',
        'command: status-information',
        'length: 13',
        'lengthForm: short',
        'fields',
        '  resultCode: 0',
        '  tlv',
        '    tag 1F10, length 1, hex 00',
        '    tag 24, length 3',
        '      tag 07, length 1, text O',
        '  order: 27 06',
      ],
    ]);
    expect(await runInShell(['terminal', 'decode', '--text', '0601'])).toMatchObject({
      code: 1,
      printed: [],
    });
  });

  it('refuses other bytes, and never shows a whole card number', async () => {
    expect(await decode('--serial', '100280000010031ff5')).toMatchObject({
      code: 1,
      meaning: [{ malformed: true }],
      complaint: expect.stringContaining('checksum'),
    });
    expect(await decode('0601')).toMatchObject({ code: 1, meaning: [{ malformed: true }] });
    expect(await decode('040f0600010203')).toMatchObject({
      code: 1,
      meaning: [{ malformed: true, control: '040F', length: 6, dataStartIndex: 3, complete: false }],
    });
    expect(await decode('06xx')).toMatchObject({ code: 2, meaning: [] });
    const framed = hexOf(writeSerialFrame(bytesOf('040f0d270022f0f84111111111111111')));
    const { code, meaning } = await decode('--serial', framed);
    expect(code).toBe(0);
    expect(JSON.stringify(meaning)).not.toContain('4111111111111111');
  });
});
