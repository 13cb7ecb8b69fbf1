import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configurationOutline, severeLines } from './support-report.ts';

it('shows the shape of a configuration, and no text that may be a secret or a name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-report-'));
  const path = join(folder, 'edge.yaml');
  writeFileSync(
    path,
    `site: { name: Anna's car park, timeZone: Atlantic/Reykjavik }
cameras:
  - { id: cam-1, format: hikvision, token: 4f9a77aa, onvif: { url: "http://admin:hunter2@192.168.1.20/onvif?key=7", timeoutMs: 3000 } }
smtp: { url: "smtps://user:pass@mail.example:465", from: Anna <anna@example.is> }
onSite: { pin: "scrypt:1:2", loopback: pin }`,
  );
  const shown = configurationOutline(path);
  expect(shown).toEqual({
    site: { name: '…', timeZone: 'Atlantic/Reykjavik' },
    cameras: [
      {
        id: '…',
        format: 'hikvision',
        token: '…',
        onvif: { url: 'http://192.168.1.20', timeoutMs: 3000 },
      },
    ],
    smtp: { url: 'smtps://mail.example:465', from: '…' },
    onSite: { pin: '…', loopback: 'pin' },
  });
  expect(configurationOutline(join(folder, 'none.yaml'))).toBeNull();
  rmSync(folder, { recursive: true });
});

it('takes warnings and errors out of a log, without plates and secrets', () => {
  const lines = [
    '{"level":"info","event":"gate.moved"}',
    'Started hlid-edge.service',
    '{"level":"warn","event":"camera.document-refused","plate":"QXZ77","read":{"candidates":["QXZ78"]}}',
    '{"level":"error","event":"lane.failed","token":"4f9a"}',
  ];
  const found = severeLines(lines.join('\n'));
  expect(found).toMatchObject([{ event: 'camera.document-refused' }, { event: 'lane.failed' }]);
  expect(JSON.stringify(found)).not.toMatch(/QXZ|4f9a/);
});
