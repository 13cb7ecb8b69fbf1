import { dirname } from 'node:path';
import { runProgram } from '@hlid/protocol/command-line/program';
import { expect, test } from 'vitest';
import { createTestApi } from '../../../test/api.ts';
import { trafficTable } from '../../records/totals/traffic-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { CLOUD_PROGRAM } from './cloud-program.ts';

test('visits that were changed past the cloud are counted again', async () => {
  const api = await createTestApi();
  const run = async (line: string) => {
    const output: string[] = [];
    const code = await runProgram(CLOUD_PROGRAM, line.split(' '), {
      print: (text) => void output.push(text),
      complain: (text) => void output.push(text),
      environment: { HLID_DATA_DIR: dirname(api.file) },
      isTerminal: true,
    });
    return { code, output: output.join('\n') };
  };
  try {
    await api.visit({ startedAt: '2026-11-20T08:00:00.000Z' });
    await api.visit({ startedAt: '2026-11-20T08:05:00.000Z' });
    const arrivals = async () => {
      const rows = await api.db.read((q) => q.select().from(trafficTable));
      return rows.reduce((sum, row) => sum + row.arrivals, 0);
    };
    expect(await arrivals()).toBe(2);
    await api.db.write(({ q }) => q.update(visitTable).set({ paymentStatus: 'void' }));
    expect(await run('totals recount')).toMatchObject({ code: 2 });
    expect(await run('totals recount --month 2026-11')).toEqual({
      code: 0,
      output: '2026-11 is counted again for one site.',
    });
    expect(await arrivals()).toBe(0);
  } finally {
    await api.close();
  }
});
