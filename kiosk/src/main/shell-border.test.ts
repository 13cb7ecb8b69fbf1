import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen, stopListening } from '@hlid/node/listen';
import { expect, it } from 'vitest';
import { sendScreenPicture } from './screen-picture.ts';
import { readBeat, readPictureId } from './shell-ipc.ts';
import { createShellLog } from './shell-log.ts';
import { readShellSettings } from './shell-settings.ts';

const PAGE = { url: 'app://kiosk/index.html', parent: null };
const BEAT = { shows: true, idle: false };

it('hears the page', () => {
  expect(readBeat(PAGE, BEAT)).toEqual(BEAT);
});

it.each([
  ['a frame in it', { ...PAGE, parent: {} }, BEAT],
  ['another page', { ...PAGE, url: 'https://example.is/' }, BEAT],
  ['a page that has gone', null, BEAT],
  ['something else', PAGE, 'beat'],
  ['half a beat', PAGE, { shows: true }],
  ['more than a beat', PAGE, { ...BEAT, quit: true }],
  ['nothing', PAGE, undefined],
])('does not hear %s', (_name, sender, message) => {
  expect(readBeat(sender, message)).toBeNull();
});

it('logs a line for each fact, and of addresses only where they are', () => {
  const lines: string[] = [];
  const log = createShellLog(
    (line) => lines.push(line),
    () => new Date(Date.UTC(2026, 0, 2)),
  );
  log('kiosk.request-refused', { url: 'https://example.is:8443/search?plate=ABC12#x', code: -6 });
  log('kiosk.page-failed', { reason: 'at app://kiosk/api/kiosk/visits?plate=ABC12 (twice)' });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      time: '2026-01-02T00:00:00.000Z',
      event: 'kiosk.request-refused',
      url: 'https://example.is:8443',
      code: -6,
    },
    {
      time: '2026-01-02T00:00:00.000Z',
      event: 'kiosk.page-failed',
      reason: 'at app://kiosk (twice)',
    },
  ]);
  expect(lines.every((line) => line.endsWith('}\n'))).toBe(true);
});

it('is set up for a kiosk by default', () => {
  expect(readShellSettings({ HLID_EDGE_URL: '', PATH: '/bin' })).toEqual({
    kind: 'read',
    settings: { edgeUrl: 'http://127.0.0.1:7070', windowed: false, cursor: false },
  });
  expect(readShellSettings({ HLID_EDGE_URL: 'http://[::1]:9', HLID_KIOSK_WINDOWED: 'yes' })).toEqual({
    kind: 'read',
    settings: { edgeUrl: 'http://[::1]:9', windowed: true, cursor: true },
  });
});

it('names all mistakes at once', () => {
  const read = readShellSettings({ HLID_EDGE_URL: 'http://10.0.0.5:7070', HLID_KIOSK_CURSOR: 'maybe' });
  expect(read.kind).toBe('wrong');
  expect(read).toMatchObject({
    mistakes: [
      expect.stringMatching(/^HLID_EDGE_URL: an address of this machine/),
      expect.stringMatching(/^HLID_KIOSK_CURSOR: /),
    ],
  });
});

const PICTURE = '01980000-0000-7000-8000-000000000001';

it('takes a picture of the screen for its own page only', () => {
  expect(readPictureId(PAGE, PICTURE)).toBe(PICTURE);
  expect(readPictureId({ ...PAGE, url: 'https://example.is/' }, PICTURE)).toBeNull();
  expect(readPictureId({ ...PAGE, parent: {} }, PICTURE)).toBeNull();
  expect(readPictureId(PAGE, '../visits')).toBeNull();
});

it('sends the picture to the edge under its id, and survives an edge that is away', async () => {
  const received: { url: string; body: unknown }[] = [];
  const edge = createServer(async (request, response) => {
    received.push({ url: request.url ?? '', body: await json(request) });
    response.end('{}');
  });
  const at = await listen(edge, { host: '127.0.0.1', port: 0 }, 'nothing');
  const lines: string[] = [];
  const log = createShellLog(
    (line) => lines.push(line),
    () => new Date(0),
  );
  const page = { capturePage: async () => ({ toJPEG: () => Buffer.from('jpeg') }) };
  await sendScreenPicture(page, { edgeUrl: `http://${at}/`, id: PICTURE, log });
  await stopListening(edge);
  await sendScreenPicture(page, { edgeUrl: `http://${at}`, id: PICTURE, log });
  expect(received).toEqual([
    { url: `/api/kiosk/screen/${PICTURE}`, body: { jpeg: Buffer.from('jpeg').toString('base64') } },
  ]);
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(['kiosk.screen-sent', 'kiosk.screen-unsent']);
});
