import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Writes what `test-summary.mjs` reads of a run to the file that HLID_TEST_REPORT names. */
export default class RunReport {
  onTestRunEnd(modules, errorsOutside) {
    const files = modules.map((module) => ({
      name: relative(process.cwd(), module.moduleId),
      project: module.project.name,
      failed: module.state() === 'failed',
      seconds: Math.round(module.diagnostic().duration / 1000),
      tests: [...module.children.allTests()].map((test) => {
        const { state, errors = [] } = test.result();
        return { name: test.fullName, state, problem: errors[0]?.message ?? null };
      }),
    }));
    writeFileSync(
      process.env.HLID_TEST_REPORT,
      JSON.stringify({ files, failedOutside: errorsOutside.length > 0 }),
    );
  }
}
