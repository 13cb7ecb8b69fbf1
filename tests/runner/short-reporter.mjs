import { MinimalReporter } from 'vitest/node';

const STEPS = 10;

/** A whole run in few lines: how far it is, what failed, and why. */
export default class ShortReporter extends MinimalReporter {
  files = 0;
  done = 0;

  onTestRunStart(specifications) {
    super.onTestRunStart(specifications);
    this.files = specifications.length;
    this.startedAt = performance.now();
  }

  onTestModuleEnd(testModule) {
    super.onTestModuleEnd(testModule);
    this.done += 1;
    const step = Math.floor((this.done * STEPS) / this.files);
    if (step === Math.floor(((this.done - 1) * STEPS) / this.files)) return;
    const minutes = ((performance.now() - this.startedAt) / 60_000).toFixed(1);
    console.log(`${this.done} of ${this.files} files, ${minutes} min`);
  }
}
