/** What `run-report.mjs` writes of a run. */
export interface TestReport {
  files: {
    /** Its path from the project's root. */
    name: string;
    project: string;
    failed: boolean;
    seconds: number;
    tests: { name: string; state: 'passed' | 'failed' | 'skipped' | 'pending'; problem: string | null }[];
  }[];
  /** An error that belongs to no test. */
  failedOutside: boolean;
}

export function summarise(
  report: TestReport | null,
  exitCode: number | null,
): { line: string; ok: boolean; remarks: string[] };

export function slowestFiles(report: TestReport | null): string | null;

export function filesToTryAgain(report: TestReport | null): string[];

export function withSecondTry(
  report: TestReport,
  second: TestReport | null,
): { report: TestReport; remarks: string[] };
