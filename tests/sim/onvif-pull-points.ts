import { randomUUID } from 'node:crypto';

/** An event of a simulated device. */
export interface DeviceEvent {
  /** The topic with its prefix: `tns1:` or `tnsaxis:`. */
  topic: string;
  /** The NotificationMessage, all of it. */
  xml: string;
}

export interface SimPullPoint {
  id: string;
  endsAt: number;
}

interface OpenPoint extends SimPullPoint {
  filter: readonly string[] | null;
  queue: DeviceEvent[];
  waiting: ((events: DeviceEvent[]) => void) | null;
}

/** The pull points of a device, as few as devices have; unused ones end by themselves. */
export function createPullPoints(limits: { most: number; now: () => number }) {
  const points = new Map<string, OpenPoint>();

  function living(): OpenPoint[] {
    for (const point of points.values()) if (point.endsAt <= limits.now()) points.delete(point.id);
    return [...points.values()];
  }

  return {
    /** Null: there are as many as there can be. */
    create(filter: readonly string[] | null, lifeMs: number): SimPullPoint | null {
      if (living().length >= limits.most) return null;
      const id = randomUUID().slice(0, 8);
      const point: OpenPoint = { id, endsAt: limits.now() + lifeMs, filter, queue: [], waiting: null };
      points.set(id, point);
      return point;
    },
    get: (id: string): SimPullPoint | undefined => living().find((point) => point.id === id),
    /**
     * Waits until there is something, or the time is up.
     *
     * @returns null if the point is gone, `'busy'` if another client waits there already
     */
    pull(
      id: string,
      waitMs: number,
      most: number,
      gone: AbortSignal,
    ): Promise<DeviceEvent[] | 'busy' | null> {
      const point = living().find((one) => one.id === id);
      if (!point) return Promise.resolve(null);
      if (point.waiting) return Promise.resolve('busy');
      if (point.queue.length > 0) return Promise.resolve(point.queue.splice(0, most));
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          gone.removeEventListener('abort', end);
          point.waiting = null;
          resolve(points.has(id) ? point.queue.splice(0, gone.aborted ? 0 : most) : null);
        };
        const timer = setTimeout(end, waitMs);
        gone.addEventListener('abort', end);
        point.waiting = end;
      });
    },
    notify(event: DeviceEvent, only?: string): void {
      for (const point of living()) {
        if (only !== undefined && point.id !== only) continue;
        if (point.filter && !point.filter.some((topic) => topicIn(event.topic, topic))) continue;
        point.queue.push(event);
        point.waiting?.([]);
      }
    },
    end(id: string): boolean {
      const point = points.get(id);
      points.delete(id);
      point?.waiting?.([]);
      return point !== undefined;
    },
    endAll(): void {
      for (const point of [...points.values()]) {
        points.delete(point.id);
        point.waiting?.([]);
      }
    },
    count: () => living().length,
  };
}

/** A topic of the ConcreteSet dialect: `a/b`, or `a/b//.` for all below it. */
function topicIn(topic: string, expression: string): boolean {
  const tree = expression.endsWith('//.') ? expression.slice(0, -3) : null;
  return tree === null ? topic === expression : topic === tree || topic.startsWith(`${tree}/`);
}
