import { type BarrierOptions, type BarrierSim, startBarrier } from './barrier-device.ts';

/** The barrier at the output of a Survision camera: `openBarrier` over its web service. */
export function startSurvisionBarrier(
  options: BarrierOptions & {
    /** The camera answers, and its output does not work. */
    broken?: boolean;
  } = {},
): Promise<BarrierSim> {
  const json = (status: number, content: object) => {
    return { status, contentType: 'application/json', text: JSON.stringify(content) };
  };
  const failed = (text: string) => json(200, { answer: { '@status': 'failed', '@errorText': text } });
  return startBarrier(({ method, url, body }) => {
    if (method !== 'POST' || url.pathname !== '/sync') return json(404, {});
    let request: unknown;
    try {
      request = JSON.parse(body);
    } catch {
      return failed('not JSON');
    }
    if (JSON.stringify(request) !== '{"openBarrier":null}') return failed('unknown message');
    if (options.broken) return failed('output not available');
    return { ...json(200, { answer: { '@status': 'ok' } }), moves: 'pulse' };
  }, options);
}
