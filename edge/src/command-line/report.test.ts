import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useDaemon } from '../../test/daemon.ts';

const daemon = useDaemon();

test('has health, sizes and the shape of the configuration, and no secret', async () => {
  writeFileSync(
    join(daemon.folder, 'edge.yaml'),
    'site: { name: Bílastæðið }\ncameras: [{ token: 4f9a77aa }]\n',
  );
  daemon.site.changeDevice('camera', 'cam-in-1', {
    state: 'unreachable',
    detail: 'connect ECONNREFUSED',
    since: '2026-11-21T08:10:00.000Z',
  } as const);
  const { code, printed } = await daemon.run('report');
  expect([code, JSON.parse(printed.join('\n'))]).toMatchObject([
    0,
    {
      software: expect.stringMatching(/^hlid-edge\//),
      machine: {
        node: process.versions.node,
        files: expect.arrayContaining([{ name: 'edge.yaml', bytes: 62 }]),
      },
      configuration: { cameras: [{ token: '…' }] },
      health: { status: 'attention' },
      database: null,
    },
  ]);
  expect(printed.join('')).not.toContain('4f9a');
});

test('is printed while no daemon runs, too', async () => {
  await daemon.site.api.stop();
  const { code, printed, complaint } = await daemon.run('report');
  expect([code, JSON.parse(printed.join('\n')).health]).toEqual([0, null]);
  expect(complaint).toContain('does not answer');
});
