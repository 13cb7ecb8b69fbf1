import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Projects in the order in which they begin. A process of a project goes on with the next file only if that
 * is of the same project. In a mixed order every third file would start a process and load all modules again.
 * The short files are at the end, so that all cores have work until then.
 */
const PROJECTS = ['system', 'measured', 'unit'];

/** Files that take longest by far, with seconds on a quiet machine: they begin first. */
const LONGEST: Readonly<Record<string, number>> = {
  training: 150,
  'open-site': 75,
  'bench-small': 65,
  'site-upgrade': 60,
  'damaged-database': 55,
  'pay-page': 50,
  'kiosk-gallery': 50,
  'older-pages': 45,
  'console-keyboard': 45,
  fuzz: 45,
  'two-clouds': 40,
  'pay-by-phone': 40,
  'kiosk-pay': 40,
  'query-plans': 35,
  'record-actions': 30,
  'camera-formats': 30,
  'console-people': 30,
  'console-reports': 30,
  'console-office': 25,
  'command-lines': 25,
  'week-away': 25,
  'long-lists': 25,
  'gifts-walk': 25,
  'killed-while-paying': 25,
  'power-cuts': 24,
  'backup-kills': 24,
  'online-payment-kills': 24,
  'tariff-mistakes': 24,
  'console-now': 22,
  'payment-books': 21,
  'console-words': 20,
  'console-visits': 20,
  'product-versions': 20,
  'lane-page': 20,
  'lost-disk': 20,
  'list-kills': 20,
  'big-list': 18,
  'restored-edge': 18,
  'lost-link': 16,
  'cloud-backup': 11,
};

/**
 * The order in which files of tests begin: project by project, and the longest of each first. Vitest's own order, which
 * decides for the others, begins with those that took longest the last time, and where there was none, as on a fresh
 * machine, with the largest.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted(
      (a, b) => projectRank(a) - projectRank(b) || knownSeconds(b) - knownSeconds(a),
    );
  }
}

function projectRank({ project }: TestSpecification): number {
  return PROJECTS.indexOf(project.name);
}

function knownSeconds({ moduleId }: TestSpecification): number {
  return LONGEST[basename(moduleId, '.test.ts')] ?? 0;
}
