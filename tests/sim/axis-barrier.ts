import { type BarrierOptions, type BarrierSim, startBarrier } from './barrier-device.ts';

/** The I/O ports of an Axis device, the barrier at output 2 and its contact at input 1, active while it is closed. */
export async function startAxisBarrier(options: BarrierOptions = {}): Promise<BarrierSim> {
  let outputOn = false;
  let fallsBack: NodeJS.Timeout | undefined;
  const text = (status: number, words: string) => ({ status, contentType: 'text/plain', text: words });

  const device = await startBarrier(({ method, url }) => {
    if (method !== 'GET' || url.pathname !== '/axis-cgi/io/port.cgi') return text(404, 'Not Found\r\n');
    if (url.searchParams.get('checkactive') === '1') {
      return text(200, `port1=${outputOn ? 'inactive' : 'active'}\r\n`);
    }
    // `2:/300\`: on, 300 ms, off; VAPIX, I/O port API.
    const [whole, first, waitMs, last] =
      /^2:([/\\])(?:(\d{1,5})([/\\]))?$/.exec(url.searchParams.get('action') ?? '') ?? [];
    if (whole === undefined) return text(400, 'Error: bad request\r\n');
    clearTimeout(fallsBack);
    outputOn = first === '/';
    if (waitMs !== undefined) {
      fallsBack = setTimeout(() => {
        outputOn = last === '/';
      }, Number(waitMs));
    }
    return { ...text(200, ''), moves: waitMs === undefined ? (outputOn ? 'on' : 'off') : `pulse ${waitMs}` };
  }, options);
  return {
    ...device,
    async stop() {
      clearTimeout(fallsBack);
      await device.stop();
    },
  };
}
