import { scanKey } from '../../platform/db/scan-job.ts';
import type { TrafficHour, TrafficQuestion } from './scan-traffic.ts';
import type { VisitFileQuestion } from './scan-visit-file.ts';
import type { VisitStatsQuestion } from './scan-visit-stats.ts';
import type { VisitKindCount } from './visit-stats-store.ts';

/** The scans of the reports; scan-jobs.ts loads their jobs where they run. */
export const VISIT_STATS_SCAN = scanKey<VisitStatsQuestion, VisitKindCount[]>('visit-stats');
export const TRAFFIC_SCAN = scanKey<TrafficQuestion, TrafficHour[]>('traffic');
export const VISIT_FILE_SCAN = scanKey<VisitFileQuestion, Uint8Array>('visit-file');
