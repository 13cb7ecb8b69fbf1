import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { minorText } from '../amount-text.ts';
import {
  type BankStatement,
  type FileFormat,
  MAX_FILE_MISTAKES,
  MAX_FILE_ROWS,
  type ReadFile,
} from '../file-content.ts';

/** Opening balance and entries must make the closing balance; a file in which they do not is refused. */
export function checkStatements(
  format: FileFormat,
  statements: readonly BankStatement[],
  warnings: readonly Mistake[],
): ReadFile {
  const mistakes = statements.flatMap((statement) => wrongSum(statement) ?? []);
  const entries = statements.reduce((count, statement) => count + statement.entries.length, 0);
  if (entries > MAX_FILE_ROWS) mistakes.push(mistake('file-rows', [], { max: MAX_FILE_ROWS }));
  if (statements.length === 0) mistakes.push(mistake('file-no-rows'));
  if (mistakes.length > 0) {
    return { ok: false, reason: 'input', mistakes: mistakes.slice(0, MAX_FILE_MISTAKES) };
  }
  const unchecked = statements.flatMap(({ reference, openingMinor, closingMinor }) => {
    const balance = openingMinor === null ? 'opening' : closingMinor === null ? 'closing' : null;
    return balance === null ? [] : [mistake('statement-no-balance', [], { statement: reference, balance })];
  });
  return {
    ok: true,
    content: { kind: 'bank', format, warnings: [...warnings, ...unchecked], statements: [...statements] },
  };
}

function wrongSum({
  reference,
  currency,
  openingMinor,
  closingMinor,
  entries,
}: BankStatement): Mistake | null {
  if (openingMinor === null || closingMinor === null) return null;
  const moved = entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (openingMinor + moved === closingMinor) return null;
  return mistake('statement-sum', [], {
    statement: reference,
    opening: minorText(openingMinor, currency),
    entries: minorText(moved, currency),
    sum: minorText(openingMinor + moved, currency),
    closing: minorText(closingMinor, currency),
  });
}
