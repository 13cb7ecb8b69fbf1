import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../harness/programs.ts';

const read = (path: string) => readFileSync(join(PROJECT_ROOT, path), 'utf8');
const metricsIn = (text: string) => [...new Set(text.match(/\bhlid_[a-z_]+/g))];

/** An alert on a metric that no program exports stays silent. */
it.each(['deploy/monitoring/alerts.yaml', 'deploy/monitoring/grafana/dashboards/hlid.json'])(
  '%s names only metrics that edge or cloud export',
  (path) => {
    const exported = metricsIn(
      read('edge/src/health/metrics.ts') + read('cloud/src/integration/monitor/cloud-metrics.ts'),
    );
    const named = metricsIn(read(path)).map((name) => name.replace(/_(bucket|count|sum)$/, ''));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !exported.includes(name))).toEqual([]);
  },
);
