import { expect, it } from 'vitest';
import { StartedParts } from './started-parts.ts';

function part(name: string, steps: string[], faults: { start?: boolean; stop?: boolean } = {}) {
  const step = (verb: string, fails = false) => {
    steps.push(`${verb} ${name}`);
    if (fails) throw new Error(`${name} cannot ${verb}`);
  };
  return {
    name,
    start: async () => step('start', faults.start),
    stop: async () => step('stop', faults.stop),
  };
}

it('starts parts in their order and stops them once, in the opposite order', async () => {
  const steps: string[] = [];
  const started = new StartedParts();
  await started.start([part('a', steps), {}, part('b', steps)]);
  await started.start([part('c', steps)]);
  await started.stop();
  await started.stop();
  expect(steps).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
});

it('stops what was started before a start that fails', async () => {
  const steps: string[] = [];
  const started = new StartedParts();
  const parts = [part('a', steps), part('b', steps, { start: true }), part('c', steps)];
  await expect(started.start(parts)).rejects.toThrow('b cannot start');
  expect(steps).toEqual(['start a', 'start b', 'stop a']);
});

it('stops the others when a part fails to stop, and throws its error', async () => {
  const steps: string[] = [];
  const started = new StartedParts();
  await started.start([part('a', steps), part('b', steps, { stop: true })]);
  await expect(started.stop()).rejects.toThrow('b cannot stop');
  expect(steps).toEqual(['start a', 'start b', 'stop b', 'stop a']);
});

it('names the parts that have not stopped in time', async () => {
  const steps: string[] = [];
  const started = new StartedParts();
  class Feed {
    stop() {
      steps.push('stop feed');
    }
  }
  const stuck = { name: 'Link', stop: () => new Promise<void>(() => undefined) };
  await started.start([part('a', steps), new Feed(), { start: () => undefined }, stuck, part('b', steps)]);
  await expect(started.stopWithin(20)).rejects.toMatchObject({
    code: 'deadline-passed',
    message: 'not stopped within 20 ms: Link, and after it Feed, a',
  });
  expect(steps).toEqual(['start a', 'start b', 'stop b']);
});
