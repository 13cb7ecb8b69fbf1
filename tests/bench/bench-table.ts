/** The goal of a ratio to a floor, a peer or a limit. */
export type Goal = { atLeast: number } | { atMost: number };

/** A line of the table at the end of `npm run bench`. */
export interface BenchRow {
  work: string;
  ours: string;
  /** The name of what it is compared with: a floor, a peer, a limit, or itself in other circumstances. */
  against: string;
  /** Null: the first of its kind. */
  ratio: number | null;
  /** Null: for information only. */
  goal: Goal | null;
  /** More of it for programs, which is printed as JSON only. */
  figures?: Readonly<Record<string, string | number>>;
}

/** Collects measurements, prints each at once, and all of them as a table. */
export function createBenchTable() {
  const rows: BenchRow[] = [];
  return {
    add(row: BenchRow): void {
      rows.push(row);
      const { work, ours, against, ratio, goal } = shown(row);
      console.log(`  ${work}: ${ratio} (ours ${ours}, against ${against}; goal ${goal})`);
    },
    printJson(): void {
      const measured = rows.map(({ figures, ...row }) => ({
        ...row,
        ...figures,
        met: row.goal === null || row.ratio === null ? null : isMet(row.ratio, row.goal),
      }));
      process.stdout.write(`${JSON.stringify({ rows: measured })}\n`);
    },
    print(): void {
      console.table(rows.map(shown));
      const missed = rows.filter(({ ratio, goal }) => goal && ratio !== null && !isMet(ratio, goal)).length;
      const held = rows.filter(({ goal }) => goal !== null).length;
      console.log(`${held - missed} of ${held} goals met.`);
    },
  };
}

function shown({ work, ours, against, ratio, goal }: BenchRow) {
  return {
    work,
    ours,
    against,
    ratio: ratio === null ? '–' : ratio.toFixed(2),
    goal: goal === null ? '–' : 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`,
    met: goal === null || ratio === null ? '' : isMet(ratio, goal) ? 'yes' : 'NO',
  };
}

function isMet(ratio: number, goal: Goal): boolean {
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
}

export const perSecond = (value: number) => `${Math.round(value)}/s`;
export const ms = (value: number) => `${value.toFixed(value < 100 ? 2 : 0)} ms`;
export const mb = (value: number) => `${Math.round(value)} MB`;
export const count = (value: number) => value.toLocaleString('en');
