import { TRAFFIC_SCAN, VISIT_FILE_SCAN, VISIT_STATS_SCAN } from '../../integration/reports/scan-keys.ts';
import type { ScanJob } from '../../platform/db/scan-job.ts';
import { QUICK_CHECK, scanQuickCheck } from '../../platform/db/scan-quick-check.ts';
import { DRY_RUN_SCAN } from '../../stays/dry-runs/dry-run-scan.ts';

/** Every scan there is, by name, loaded when first needed. A new one: its file with its key, and its line here. */
const SCAN_JOBS = new Map<string, () => Promise<unknown>>([
  [
    VISIT_STATS_SCAN.name,
    async () => (await import('../../integration/reports/scan-visit-stats.ts')).scanVisitStats,
  ],
  [TRAFFIC_SCAN.name, async () => (await import('../../integration/reports/scan-traffic.ts')).scanTraffic],
  [
    VISIT_FILE_SCAN.name,
    async () => (await import('../../integration/reports/scan-visit-file.ts')).scanVisitFile,
  ],
  [DRY_RUN_SCAN.name, async () => (await import('../../stays/dry-runs/scan-dry-run.ts')).scanDryRun],
  [QUICK_CHECK.name, async () => scanQuickCheck],
]);

/** The job of a name that has come from another thread, where its types were checked. */
export async function scanJob(name: string): Promise<ScanJob<unknown, unknown>> {
  const load = SCAN_JOBS.get(name);
  if (load === undefined) throw new Error(`there is no scan ${name}`);
  return (await load()) as ScanJob<unknown, unknown>;
}
