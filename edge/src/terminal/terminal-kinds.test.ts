import { readYaml } from '@hlid/protocol/command-line/read-yaml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TerminalConfigSchema } from './terminal-kinds.ts';

const FileSchema = z.strictObject({ terminal: TerminalConfigSchema });
const read = (settings: string) => readYaml(`terminal:\n${settings}`, FileSchema);
const FINGERPRINT = Array.from({ length: 32 }, () => 'A4').join(':');

/** The examples are the README's. */
describe('a card terminal is configured', () => {
  it.each([
    [
      'on a serial line',
      `  id: kiosk-1
  kind: zvt
  serial: { path: /dev/serial/by-id/usb-terminal }
  terminalId: "52500001"
`,
      { kind: 'zvt', serial: { baudRate: 9600, stopBits: 2 }, password: '000000', replyTimeoutMs: 5000 },
    ],
    [
      'in the network',
      `  id: kiosk-1
  kind: zvt
  tcp: { host: 192.168.1.70 }
`,
      { kind: 'zvt', tcp: { host: '192.168.1.70', port: 20_007 } },
    ],
    [
      'with LocalLink',
      `  id: kiosk-1
  kind: locallink
  host: 192.168.1.71
  terminalId: "34550576"
  pairingCode: "0349"
  trust: { sha256: "${FINGERPRINT}" }
  amountDigits: 2
`,
      { kind: 'locallink', port: 8080, pairingCode: '0349', trust: { sha256: 'a4'.repeat(32) } },
    ],
    [
      'with LocalLink, and a certificate that somebody has signed',
      `  id: kiosk-1
  kind: locallink
  host: terminal.example
  terminalId: "34550576"
  trust: { ca: "-----BEGIN CERTIFICATE-----…", name: pax }
  amountDigits: 0
`,
      { trust: { ca: '-----BEGIN CERTIFICATE-----…', name: 'pax' }, amountDigits: 0 },
    ],
  ])('%s', (_how, settings, terminal) => {
    expect(read(settings)).toMatchObject({ ok: true, value: { terminal } });
  });
});

describe('a mistake in it says what to do', () => {
  const LOCALLINK = '  id: k\n  kind: locallink\n  host: pax\n  terminalId: "34550576"\n  amountDigits: 2\n';
  it.each([
    ['  id: k\n', 'terminal.kind: must be one of zvt, locallink'],
    [
      '  id: k\n  kind: verifone\n',
      'line 3: terminal.kind: must be one of zvt, locallink (written: “verifone”)',
    ],
    ['  kind: zvt\n  tcp: { host: a }\n', 'terminal.id: a name for it, such as kiosk-1'],
    ['  id: k\n  kind: zvt\n', 'terminal.tcp: serial (its path) or tcp (its host), one of both'],
    [
      '  id: k\n  kind: zvt\n  tcp: { host: a }\n  serial: { path: /dev/ttyS0 }\n',
      'line 4: terminal.tcp: serial (its path) or tcp (its host), one of both',
    ],
    ['  id: k\n  kind: zvt\n  tcp: { host: "https://a" }\n', 'terminal.tcp.host: an address or a name alone'],
    ['  id: k\n  kind: zvt\n  tcp: { host: "a:20007" }\n', 'terminal.tcp.host: an address or a name alone'],
    [
      '  id: k\n  kind: zvt\n  tcp: { host: a }\n  password: 000000\n',
      'line 5: terminal.password: six digits in quotes, such as "000000"',
    ],
    [
      '  id: k\n  kind: zvt\n  tcp: { host: a }\n  terminalId: 52500001\n',
      'terminal.terminalId: the terminal’s own id (TID), eight digits in quotes',
    ],
    [
      '  id: k\n  kind: zvt\n  tcp: { host: a }\n  pairingCode: "1"\n',
      'terminal.pairingCode: there is no such',
    ],
    [LOCALLINK, 'terminal.trust: sha256 (the SHA-256 fingerprint of its certificate'],
    [`${LOCALLINK}  trust: all\n`, 'line 7: terminal.trust: sha256 (the SHA-256 fingerprint'],
    [`${LOCALLINK}  trust: { sha256: 12 }\n`, 'terminal.trust.sha256: the SHA-256 fingerprint'],
    [`${LOCALLINK}  trust: { ca: pax.pem }\n`, 'terminal.trust.ca: a certificate as PEM'],
    [`${LOCALLINK}  trust: { sha256: "${FINGERPRINT}", name: pax }\n`, 'terminal.trust: sha256 ('],
    [
      `${LOCALLINK}  trust: { sha256: "${FINGERPRINT}" }\n  pairingCode: 0349\n`,
      'line 8: terminal.pairingCode: the code that the terminal shows when it is to be paired, its digits in quotes',
    ],
    [
      `${LOCALLINK.replace('amountDigits: 2', 'amountDigits: two')}  trust: { sha256: "${FINGERPRINT}" }\n`,
      'terminal.amountDigits: how many decimal places the terminal’s amounts have',
    ],
  ])('%j', (settings, mistake) => {
    const found = read(settings);
    expect(found.ok ? [] : found.mistakes).toEqual([expect.stringContaining(mistake)]);
  });
});
