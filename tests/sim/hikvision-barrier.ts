import { type BarrierAnswer, type BarrierOptions, type BarrierSim, startBarrier } from './barrier-device.ts';

const PATH = '/ISAPI/Parking/channels/1/barrierGate';

/** The barrier of a Hikvision camera: ISAPI, strict about method, path, type and spelling. */
export function startHikvisionBarrier(
  options: BarrierOptions & {
    /** It answers every request with 200, and its text has the result. */
    kindStatus?: boolean;
    /** It answers in JSON, as newer firmware does. */
    inJson?: boolean;
  } = {},
): Promise<BarrierSim> {
  let locked = false;

  function answer(status: number, code: number, words: string, moves?: string): BarrierAnswer {
    const subStatusCode = code === 1 ? 'ok' : 'notSupport';
    const inXml =
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<ResponseStatus version="2.0" xmlns="http://www.hikvision.com/ver20/XMLSchema">\n' +
      `<requestURL>${PATH}</requestURL>\n<statusCode>${code}</statusCode>\n` +
      `<statusString>${words}</statusString>\n<subStatusCode>${subStatusCode}</subStatusCode>\n` +
      '</ResponseStatus>\n';
    const inJson = JSON.stringify(
      { requestURL: PATH, statusCode: code, statusString: words, subStatusCode },
      null,
      1,
    );
    return {
      status: options.kindStatus ? 200 : status,
      contentType: options.inJson ? 'application/json' : 'application/xml; charset="UTF-8"',
      text: options.inJson ? inJson : inXml,
      ...(moves !== undefined && { moves }),
    };
  }

  return startBarrier(({ method, url, contentType, body }) => {
    if (url.pathname !== PATH) return answer(404, 4, 'Invalid Operation');
    if (method !== 'PUT') return answer(405, 4, 'Invalid Operation');
    const mode =
      /<BarrierGate(?: [^>]*)?>\s*<ctrlMode>(open|close|lock|unlock)<\/ctrlMode>\s*<\/BarrierGate>/.exec(
        body,
      )?.[1];
    if (!contentType.startsWith('application/xml') || mode === undefined)
      return answer(400, 6, 'Invalid XML Content');
    if (locked && mode !== 'unlock') return answer(403, 4, 'Invalid Operation');
    if (mode === 'lock' || mode === 'unlock') locked = mode === 'lock';
    return answer(200, 1, 'OK', mode);
  }, options);
}
