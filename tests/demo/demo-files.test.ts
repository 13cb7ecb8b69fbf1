import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cardNumbersIn } from '../faults/card-numbers.ts';
import { CARDS } from '../sim/zvt-cards.ts';
import { demoFiles } from './demo-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-demo-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("the demo's files keep the terminal's sales, without card numbers", () => {
  const { terminal, path } = demoFiles(folder);
  expect(terminal.read()).toBeNull();
  const at = '2026-11-21T12:00:00.000Z';
  const sale = { receipt: 7, trace: 7, amountMinor: 500, card: CARDS.unmasked, at, originalTrace: null };
  terminal.write({ receipt: 7, trace: 7, newest: sale, turnover: [sale] });
  expect(cardNumbersIn(readFileSync(path.terminal))).toEqual([]);
  const card = { number: '************4242', name: 'VISA', aid: 'a0000000031010', type: 10, answer: 0 };
  expect(demoFiles(folder).terminal.read()).toEqual({
    receipt: 7,
    trace: 7,
    newest: { ...sale, card },
    turnover: [{ ...sale, card }],
  });
});
