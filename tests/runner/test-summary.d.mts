/** What is read of vitest's JSON report. */
export interface TestReport {
  numPassedTests?: number;
  numFailedTests?: number;
  numPendingTests?: number;
  numTodoTests?: number;
  testResults?: {
    name: string;
    status: string;
    startTime?: number;
    endTime?: number;
    assertionResults?: unknown[];
  }[];
}

export function summarise(
  report: TestReport | null,
  exitCode: number | null,
): { line: string; ok: boolean; remarks: string[] };

export function slowestFiles(report: Pick<TestReport, 'testResults'> | null): string | null;
